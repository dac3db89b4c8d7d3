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

/** A spreadsheet runs what begins like this. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** RFC 4180 with a header; every line ends, the last one too. */
export function presentCsv(rows: readonly BulkRow[]): string {
  let text = `${COLUMNS.join(',')}\r\n`;
  for (const row of rows) {
    for (const [index, column] of COLUMNS.entries())
      text += `${index === 0 ? '' : ','}${cellOf(row[column])}`;
    text += '\r\n';
  }
  return text;
}

function cellOf(value: BulkRow[(typeof COLUMNS)[number]]): string {
  if (value === undefined || value === null) return '';
  const text = Array.isArray(value) ? value.join(';') : String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
