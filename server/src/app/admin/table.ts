export type TableColumn = {
  readonly title: string;
  readonly align?: 'right';
  /** Longer cells are cut and marked. */
  readonly widthMax?: number;
};

const GAP = '  ';
const CUT = '…';
const RULE = '-';

/** `null` among the rows draws a line before totals. Empty without rows. */
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

/** Characters as a reader counts them, exact enough for names and numbers. */
const SEGMENTER = new Intl.Segmenter();
const characters = (text: string): readonly string[] =>
  Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
const width = (text: string): number => characters(text).length;

function fit(cell: string, widthMax: number | undefined): string {
  // Text from a list may hold anything: a cell stays on one line, and no control character reaches the terminal.
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

export const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
