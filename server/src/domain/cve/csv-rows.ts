/** Rows of RFC 4180 as records by header; a quoted cell may hold commas and line ends. Lines that begin with # are left out. */
export function csvRecords(text: string): readonly ReadonlyMap<string, string>[] {
  const { header, rows } = csvTable(text);
  return rows.map((cells) => new Map(header.map((name, at) => [name, cells[at] ?? ''])));
}

export type CsvTable = { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Like `csvRecords`, but rows are arrays of cells, for files with many short rows. */
export function csvTable(text: string): CsvTable {
  const cells = text.includes('"') ? csvCells(text) : plainCells(text);
  const rows = cells.filter((row) => row.length > 1 && !(row[0] ?? '').startsWith('#'));
  const header = rows.shift()?.map((name) => name.trim()) ?? [];
  return { header, rows };
}

/** Fast path for a text without quotes: it can be split at every comma and line end. */
const plainCells = (text: string): string[][] =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.split(','));

const SPECIAL = /["\n,]/g;

function csvCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    row.push(cell.value);
    at = cell.end + 1;
    if (text[cell.end] === ',') continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

type Cell = { readonly value: string; readonly end: number };

function plainCell(text: string, start: number): Cell {
  SPECIAL.lastIndex = start;
  let found = SPECIAL.exec(text);
  while (found !== null && found[0] === '"') found = SPECIAL.exec(text);
  const end = found?.index ?? text.length;
  const isCrLf = text[end] !== ',' && text[end - 1] === '\r';
  return { value: text.slice(start, isCrLf ? end - 1 : end), end };
}

function quotedCell(text: string, start: number): Cell {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return { value: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"')
      return { value: value + plainCell(text, quote + 1).value, end: plainCell(text, quote + 1).end };
    value += '"';
    from = quote + 2;
  }
}
