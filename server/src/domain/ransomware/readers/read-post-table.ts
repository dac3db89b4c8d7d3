import { type Post, type ReadRows, readEach, readPost } from './post.ts';
import { ROWS_MAX } from './read-post-list.ts';

const CELL_MAX = 4_000;
const ROW_MAX = 20_000;

/**
 * Posts as rows of an HTML table: title, group, date and, where there is a fourth column, country. A file that ends in the
 * middle of a row gives the rows before it. Links in cells are dropped and only their text is read.
 */
export function readPostTable(html: string): ReadRows<Post> {
  return readEach(tableRows(html), (cells) => {
    const [title, group, discovered, country] = cells;
    return readPost({ title, group, discovered, country });
  });
}

/** The cells of each closed row with three or more; rows of headings have `th` and are left out. */
export function tableRows(html: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let at = html.indexOf('<tr');
  while (at !== -1 && rows.length < ROWS_MAX) {
    const end = html.indexOf('</tr>', at);
    if (end === -1) break;
    const cells = end - at > ROW_MAX ? [] : cellsOf(html.slice(at, end));
    if (cells.length >= 3) rows.push(cells);
    at = html.indexOf('<tr', end);
  }
  return rows;
}

function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let at = row.indexOf('<td');
  while (at !== -1) {
    const start = row.indexOf('>', at) + 1;
    const end = row.indexOf('</td>', start);
    if (start === 0 || end === -1) break;
    cells.push(
      row
        .slice(start, Math.min(end, start + CELL_MAX))
        .replace(/<[^<>]*>/g, '')
        .trim(),
    );
    at = row.indexOf('<td', end);
  }
  return cells;
}
