import type { Cell, LearnedTable } from './learned-table.ts';
import type { CountedCell } from './source-shares.ts';

const ENTRIES_MIN = 1_000;
/** With fewer hits the scale itself is a guess. */
const HITS_MIN = 30;

export type SourceCells = { readonly source: string; readonly cells: readonly CountedCell[] };

/**
 * What one visited host of an own reference counts, so that the hits of the cells that both tables hold have the same sum as
 * in the shipped table. Cells of fewer than 1,000 entries are left out. Null: too few hits to tell.
 */
export function scaleOf(shipped: LearnedTable, counted: readonly SourceCells[]): number | null {
  const known = new Map(shipped.cells.map((cell) => [`${cell.source} ${cell.group}`, cell]));
  let [own, theirs] = [0, 0];
  for (const { source, cells } of counted)
    for (const { group, n, h } of cells) {
      const cell = known.get(`${source} ${group}`);
      if (cell === undefined || cell.n < ENTRIES_MIN || n < ENTRIES_MIN) continue;
      own += h;
      theirs += listedHits(cell);
    }
  return own >= HITS_MIN ? theirs / own : null;
}

/** What left a cell is in its counts, and is no entry that anybody can visit now. */
const listedHits = ({ h, gone }: Cell): number => h - (gone?.h ?? 0);
