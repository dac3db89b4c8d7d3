import type { BulkRow } from '@assay/sdk';
import { csvOf } from '@assay/server/csv';
import { toldLevel } from '../../words/told-level.ts';
import type { TriageRow } from './triage-view.ts';

/** As the service's own CSV of a bulk check, with the word in front. */
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

export const rowsAsCsv = (rows: readonly TriageRow[]): string =>
  csvOf(
    ['verdict', ...COLUMNS],
    rows.map((triage) => {
      const row = toldRow(triage);
      return [triage.verdict.word, ...COLUMNS.map((column) => row[column])];
    }),
  );

/** The rows as the service sent them, each with its word; none is called safe that nobody vouches for. */
export const rowsAsJson = (rows: readonly TriageRow[]): string =>
  `${JSON.stringify(
    rows.map((triage) => ({ verdict: triage.verdict.word, ...toldRow(triage) })),
    null,
    2,
  )}\n`;

const toldRow = ({ row }: TriageRow) => ({
  ...row,
  ...(row.riskLevel !== undefined && { riskLevel: toldLevel(row.riskLevel, row.evidence?.verdict) }),
});

export const rowsAsLines = (rows: readonly TriageRow[]): string =>
  rows.map(({ row }) => `${row.entity}\n`).join('');

/** `bulk-check-2026-11-15T1612.csv`: two exports of a day do not hide each other. */
export const fileName = (extension: 'csv' | 'json', nowMs: number): string =>
  `bulk-check-${new Date(nowMs).toISOString().slice(0, 16).replace(':', '')}.${extension}`;
