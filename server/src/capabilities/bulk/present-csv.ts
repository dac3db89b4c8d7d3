import { csvOf } from '#domain/text/csv.ts';
import type { BulkRow } from './contract.ts';

/** G21: exactly these, in this order. */
const COLUMNS = [
  'entity',
  'type',
  'isMalicious',
  'confidence',
  'sources',
  'categories',
  'riskScore',
  'riskLevel',
  'recommendedAction',
  'analystStatus',
  'lookupStatus',
  'observedAt',
  'error',
] as const satisfies readonly (keyof BulkRow)[];

/** RFC 4180 with a header; every line ends, the last one too. */
export const presentCsv = (rows: readonly BulkRow[]): string =>
  csvOf(
    COLUMNS,
    rows.map((row) => COLUMNS.map((column) => row[column])),
  );
