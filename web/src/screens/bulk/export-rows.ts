import { BULK_CSV_COLUMNS, csvOf } from '@assay/server/csv';
import type { TriageRow } from './triage-view.ts';

/** The columns of the service's own bulk CSV; the word is that of the screen, also for rows without a verdict. */
export const rowsAsCsv = (rows: readonly TriageRow[]): string =>
  csvOf(
    BULK_CSV_COLUMNS,
    rows.map(({ row, verdict }) =>
      BULK_CSV_COLUMNS.map((column) => (column === 'word' ? verdict.word : row[column])),
    ),
  );

/** The rows as the service sent them, each with its verdict word. */
export const rowsAsJson = (rows: readonly TriageRow[]): string =>
  `${JSON.stringify(
    rows.map(({ row, verdict }) => ({ verdict: verdict.word, ...row })),
    null,
    2,
  )}\n`;

export const rowsAsLines = (rows: readonly TriageRow[]): string =>
  rows.map(({ row }) => `${row.entity}\n`).join('');

/** `bulk-check-block-2026-11-15T1612.csv`: the time keeps two exports of one day apart. */
export const fileName = (extension: 'csv' | 'json', nowMs: number, of?: string): string =>
  `bulk-check-${of === undefined ? '' : `${of}-`}${new Date(nowMs).toISOString().slice(0, 16).replace(':', '')}.${extension}`;
