const QUOTE = '"';
const QUOTE_CODE = 34;
const SPACE = 32;
const TAB = 9;

/** Splits one record into unquoted cells; null when it ends inside a quoted cell. */
export function splitCsvLine(record: string, delimiter: string): string[] | null {
  if (!record.includes(QUOTE)) return record.split(delimiter).map(trim);
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const open = openingQuote(record, at);
    const close = open < 0 ? at - 1 : closingQuote(record, open + 1);
    if (open >= 0 && close < 0) return null;
    const found = record.indexOf(delimiter, close + 1);
    const end = found < 0 ? record.length : found;
    cells.push(open < 0 ? trim(record.slice(at, end)) : unquote(record, open, close, end));
    if (found < 0) return cells;
    at = end + delimiter.length;
  }
}

/**
 * Whether a quoted cell that began on an earlier line continues after this one. Checked line by line, so that a cell of
 * many lines is not read from its start with each line.
 */
export function endsInQuotes(line: string, delimiter: string): boolean {
  const close = closingQuote(line, 0);
  if (close < 0) return true;
  const next = line.indexOf(delimiter, close + 1);
  return next >= 0 && splitCsvLine(line.slice(next + delimiter.length), delimiter) === null;
}

/** Only a quote at the start of a cell opens one; blanks may precede it. `5" disk` is text. */
function openingQuote(text: string, at: number): number {
  let i = at;
  while (text.charCodeAt(i) === SPACE || text.charCodeAt(i) === TAB) i += 1;
  return text.charCodeAt(i) === QUOTE_CODE ? i : -1;
}

/** The first quote from `from` on that is not doubled (RFC 4180 section 2). */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf(QUOTE, from);
  while (at >= 0 && text.charCodeAt(at + 1) === QUOTE_CODE) at = text.indexOf(QUOTE, at + 2);
  return at;
}

/** Text after the closing quote is a mistake of the publisher; it is kept for the reader to judge. */
function unquote(record: string, open: number, close: number, end: number): string {
  const inner = record.slice(open + 1, close);
  const rest = close + 1 === end ? '' : record.slice(close + 1, end);
  return trim((inner.includes(QUOTE) ? inner.replaceAll('""', QUOTE) : inner) + rest);
}

/** Avoids the call of `trim` for the nine cells in ten that need none. */
function trim(cell: string): string {
  const last = cell.charCodeAt(cell.length - 1);
  const first = cell.charCodeAt(0);
  return first > SPACE && last > SPACE && first < 128 && last < 128 ? cell : cell.trim();
}
