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

/** One list of the repository: the folder gives the id and the URL. */
type WarningList<Shared> = Omit<RowData, keyof Shared | keyof typeof COMMON | 'id' | 'urls'> &
  Partial<RowData> & { readonly folder: string };

/**
 * A warninglist is a source of its own even where the catalogue has the provider's own list, because its selection and
 * date differ. Context is not counted, so a repeated label does no harm.
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
