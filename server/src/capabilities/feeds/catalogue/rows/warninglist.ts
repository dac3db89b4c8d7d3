import type { CatalogueRow } from '../catalogue-row.ts';
import { defineRows, type RowData } from '../define-rows.ts';
import { CC0 } from '../licences.ts';

const WARNINGLISTS = 'https://raw.githubusercontent.com/MISP/misp-warninglists/main/lists';

const COMMON = {
  publisher: 'MISP project (warninglists)',
  format: { kind: 'misp-warninglist' },
  fpRisk: 'low',
  licence: CC0,
  isDefault: true,
} as const satisfies Partial<RowData>;

/** One list of the repository: the folder gives the id and the address. */
type WarningList<Shared> = Omit<RowData, keyof Shared | keyof typeof COMMON | 'id' | 'urls'> &
  Partial<RowData> & { readonly folder: string };

/**
 * A warninglist is a source of its own even where the provider's own list is in the catalogue too: it has its own
 * selection and its own date. Context is not counted, so a label given twice is no echo.
 */
export const defineWarningLists = <Shared extends Partial<RowData>>(
  shared: Shared,
  lists: readonly WarningList<Shared>[],
): readonly CatalogueRow[] =>
  defineRows(
    {},
    lists.map((list) => toRow({ ...shared, ...list })),
  );

const toRow = ({ folder, ...list }: Partial<RowData> & { readonly folder: string }): RowData =>
  ({
    ...COMMON,
    ...list,
    id: warningListId(folder),
    urls: [`${WARNINGLISTS}/${folder}/list.json`],
  }) as RowData;

/** `majestic_million` is `misp-majestic-million`, `eicar.com` is `misp-eicar`. */
export const warningListId = (folder: string): string =>
  `misp-${folder.toLowerCase().replaceAll('_', '-').replace('.com', '')}`;
