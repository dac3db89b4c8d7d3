/**
 * Spreadsheets run a cell that begins with one of these as a formula, the wide forms included. Where the list separator of
 * the system is a semicolon or a tab, a cell begins after each of them, even inside quotes.
 */
const FORMULA = /(?<=^|[;\t])(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
/** Line ends of every kind: a reader that takes lines for rows would see a row of the sender's making. */
const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const NEEDS_QUOTES = /[",;\t]/;
const LIST_SEPARATOR = ';';

/**
 * The columns of a bulk check in the order of G21, then the word of the ladder (O49), the malware family (O52), and where
 * and when, last so that readers by position keep their columns. The service and the dashboard write them.
 */
export const BULK_CSV_COLUMNS = [
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
  'word',
  'malwareFamily',
  'asn',
  'asnName',
  'countryCode',
  'firstSeen',
  'lastSeen',
] as const;

export type CsvCell = string | number | boolean | readonly string[] | null | undefined;

/**
 * One row of RFC 4180 with its line end. A cell that a spreadsheet would run as a formula becomes text (G21), a line end
 * inside a cell becomes a blank, and a semicolon inside an item of a list becomes a comma.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  let row = '';
  for (const [index, cell] of cells.entries()) row += `${index === 0 ? '' : ','}${textOf(cell)}`;
  return `${row}\r\n`;
}

export const csvOf = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  [header, ...rows].map(csvRow).join('');

function textOf(cell: CsvCell): string {
  if (cell === undefined || cell === null) return '';
  // Numbers are our own values and not foreign text, so -1 stays a number.
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const safe = typeof cell === 'string' ? guarded(cell) : cell.map(itemOf).join(LIST_SEPARATOR);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The apostrophe is set before line ends are replaced, so that a cell that began with a line end gets one as well. */
const guarded = (text: string): string => text.replace(FORMULA, "'").replace(LINE_ENDS, ' ');

const itemOf = (item: string): string => guarded(item.replaceAll(LIST_SEPARATOR, ','));
