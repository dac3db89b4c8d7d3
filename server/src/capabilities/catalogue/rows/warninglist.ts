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

/** One list of the MISP repository: its folder there gives the id and the URL. */
type WarningList<Shared> = Omit<RowData, keyof Shared | keyof typeof COMMON | 'id' | 'urls'> &
  Partial<RowData> & { readonly folder: string };

/**
 * A warninglist is a separate source even where the catalogue also has the list of the provider, because selection
 * and date differ. The same label from both does no harm: context is not counted.
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
