/** A spreadsheet runs what begins like this. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Text as it is, a list joined by `;`, nothing as an empty cell. */
export type CsvCell = string | number | boolean | readonly string[] | null | undefined;

/** One row of RFC 4180, its line end included. What a spreadsheet would run is made text (G21). */
export function csvRow(cells: readonly CsvCell[]): string {
  let row = '';
  for (const [index, cell] of cells.entries()) row += `${index === 0 ? '' : ','}${textOf(cell)}`;
  return `${row}\r\n`;
}

export const csvOf = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  [header, ...rows].map(csvRow).join('');

function textOf(cell: CsvCell): string {
  if (cell === undefined || cell === null) return '';
  // A number is ours, not somebody's text: -1 stays a number.
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = typeof cell === 'string' ? cell : cell.join(';');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
