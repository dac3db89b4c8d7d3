import { BULK_CSV_COLUMNS, csvOf } from '#domain/text/csv.ts';
import type { BulkRow } from './contract.ts';

/** RFC 4180 with a header; every line has its line end, the last one included. */
export const presentCsv = (rows: readonly BulkRow[]): string =>
  csvOf(
    BULK_CSV_COLUMNS,
    rows.map((row) => BULK_CSV_COLUMNS.map((column) => row[column])),
  );
