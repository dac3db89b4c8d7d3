import type { Sort, TriageRow } from './triage-view.ts';

type ColumnName =
  | 'verdict'
  | 'score'
  | 'indicator'
  | 'cause'
  | 'family'
  | 'network'
  | 'country'
  | 'seen'
  | 'sources';

export type Column = {
  readonly name: ColumnName;
  readonly title: string;
  readonly width: string;
  readonly sort?: Sort;
  readonly isNumber?: boolean;
  /** Whether a row has a value for the column. A column with `isIn` is shown only if at least one row has. */
  readonly isIn?: (triage: TriageRow) => boolean;
};

const COLUMNS: readonly Column[] = [
  { name: 'verdict', title: 'Verdict', width: '136px' },
  { name: 'score', title: 'Score', width: '48px', sort: 'risk', isNumber: true },
  { name: 'indicator', title: 'Indicator', width: 'minmax(0, 1.6fr)', sort: 'indicator' },
  { name: 'cause', title: 'Cause', width: '120px', sort: 'cause' },
  {
    name: 'family',
    title: 'Family',
    width: '100px',
    sort: 'family',
    isIn: ({ row }) => row.malwareFamily !== undefined,
  },
  {
    name: 'network',
    title: 'Network',
    width: 'minmax(0, 0.9fr)',
    sort: 'network',
    isIn: ({ row }) => row.asn !== undefined,
  },
  {
    name: 'country',
    title: 'Country',
    width: '52px',
    sort: 'country',
    isIn: ({ row }) => row.countryCode !== undefined,
  },
  {
    name: 'seen',
    title: 'Seen',
    width: '112px',
    sort: 'seen',
    isIn: ({ row }) => row.lastSeen !== undefined || row.firstSeen !== undefined,
  },
  { name: 'sources', title: 'Sources', width: '60px', sort: 'sources', isNumber: true },
];

export const columnsOf = (rows: readonly TriageRow[]): readonly Column[] =>
  COLUMNS.filter(({ isIn }) => isIn === undefined || rows.some(isIn));

/** The CSS grid columns; the first, of 32 px, holds the checkbox that selects a row. */
export const widthsOf = (columns: readonly Column[]): string =>
  ['32px', ...columns.map(({ width }) => width)].join(' ');
