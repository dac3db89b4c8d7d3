/** A spreadsheet runs what begins like this. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

export type CsvValue = string | number | boolean | readonly string[] | null | undefined;

/** One row of RFC 4180, its line end included. Lists are joined by `;`; what a spreadsheet would run is made text (G21). */
export function csvRow(values: readonly CsvValue[]): string {
  let row = '';
  for (const [index, value] of values.entries()) row += `${index === 0 ? '' : ','}${cellOf(value)}`;
  return `${row}\r\n`;
}

function cellOf(value: CsvValue): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? value.join(';') : String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
