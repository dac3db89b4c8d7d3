/** Plain text tables: columns as wide as their widest cell, numbers to the right, nothing at the end of a line. */

export type TableColumn = {
  readonly title: string;
  readonly align?: 'right';
  /** Cells longer than this are cut, with a mark. */
  readonly widthMax?: number;
};

const GAP = '  ';
const CUT = '…';
const RULE = '-';

/** `null` among the rows draws a line, before totals. No rows: no table. */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[] | null)[],
): readonly string[] {
  if (rows.every((row) => row === null)) return [];
  const cut = rows.map((row) => row?.map((cell, at) => fit(cell, columns[at]?.widthMax)) ?? null);
  const widths = columns.map((column, at) =>
    Math.max(width(column.title), ...cut.map((row) => width(row?.[at] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => pad(cell, widths[at] ?? 0, columns[at]?.align === 'right'))
      .join(GAP)
      .trimEnd();
  const rule = widths.map((chars) => RULE.repeat(chars)).join(GAP);
  return [
    line(columns.map(({ title }) => title)),
    rule,
    ...cut.map((row) => (row === null ? rule : line(row))),
  ];
}

/** Characters as a reader counts them, close enough for names and numbers. */
const SEGMENTER = new Intl.Segmenter();
const characters = (text: string): readonly string[] =>
  Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
const width = (text: string): number => characters(text).length;

function fit(cell: string, widthMax: number | undefined): string {
  // A list's own words may hold anything: one cell is one line, and no control character reaches the terminal.
  const clean = cell.replace(/\p{Cc}+/gu, ' ');
  if (widthMax === undefined || width(clean) <= widthMax) return clean;
  return (
    characters(clean)
      .slice(0, widthMax - 1)
      .join('') + CUT
  );
}

function pad(cell: string, chars: number, toRight: boolean): string {
  const space = ' '.repeat(Math.max(0, chars - width(cell)));
  return toRight ? space + cell : cell + space;
}

export const count = (value: number): string => value.toLocaleString('en-US');

/** The day of a moment, UTC. */
export const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
