import { csvRow } from '#domain/text/csv.ts';
import type { SummaryRow } from './store.ts';

const COLUMNS = [
  'id',
  'createdAt',
  'entityType',
  'entityValue',
  'verdict',
  'riskScore',
  'riskLevel',
  'note',
  'tags',
  'origin',
  'userId',
  'organizationId',
] as const;

export const CSV_HEADER = csvRow(COLUMNS);

export const presentCsvRow = (row: SummaryRow): string =>
  csvRow(
    COLUMNS.map((column) => (column === 'createdAt' ? new Date(row.createdAtMs).toISOString() : row[column])),
  );
