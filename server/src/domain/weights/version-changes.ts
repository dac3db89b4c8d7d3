import type { LearnedTable } from './learned-table.ts';
import { isProven } from './weight-book.ts';

/** Whether two tables score every name alike. What they remember and count besides makes no new version. */
export const isEqualInForce = (a: LearnedTable, b: LearnedTable): boolean => inForceOf(a) === inForceOf(b);

const inForceOf = ({ model, cells, lists, platforms }: LearnedTable): string =>
  JSON.stringify([
    model,
    cells.map((cell) => `${cell.source} ${cell.group} ${cell.f} ${isProven(cell)}`).sort(),
    // A source that was never measured has the class of one that is not in the table.
    lists.flatMap((list) => (list.class === 'unknown' ? [] : [`${list.source} ${list.class}`])).sort(),
    platforms.map(({ suffix, size }) => `${suffix} ${size}`).sort(),
  ]);

/** Entries of one shared list or collection that a version would add and take out. */
export type ListMoves = {
  readonly list: string;
  readonly entries: number;
  readonly entering: number;
  readonly leaving: number;
};

const MOVED_MIN = 500;
const MOVED_SHARE = 0.02;

/** Lists that a version moves by more than 500 entries and 2 %. What leaves is not set off against what enters. */
export const largeMoves = (moves: readonly ListMoves[]): readonly ListMoves[] =>
  moves.filter(({ entries, entering, leaving }) => {
    const moved = entering + leaving;
    return moved > MOVED_MIN && moved > MOVED_SHARE * entries;
  });

export type ClassChange = {
  readonly source: string;
  readonly from: string;
  readonly to: string;
  readonly entriesAtBlock: number;
};

const BLOCK_POINTS = 60;
const AT_BLOCK_MAX = 1_000;

/**
 * Classes that would change for sources with more than 1,000 entries at block, before or after the change. Counted are the
 * entries listed now whose cell alone reaches the level.
 */
export function largeClassChanges(inForce: LearnedTable, next: LearnedTable): readonly ClassChange[] {
  const classes = new Map(inForce.lists.map((list) => [list.source, list.class]));
  return next.lists.flatMap(({ source, class: to }) => {
    const from = classes.get(source) ?? 'unknown';
    const entriesAtBlock = Math.max(atBlock(inForce, source), atBlock(next, source));
    return from === to || entriesAtBlock <= AT_BLOCK_MAX ? [] : [{ source, from, to, entriesAtBlock }];
  });
}

const atBlock = ({ cells }: LearnedTable, source: string): number =>
  cells
    .filter((cell) => cell.source === source && cell.points >= BLOCK_POINTS)
    .reduce((sum, { n, gone }) => sum + n - (gone?.n ?? 0), 0);

/** The table with the classes of these sources as they are in force. */
export function withClassesOf(
  inForce: LearnedTable,
  next: LearnedTable,
  sources: ReadonlySet<string>,
): LearnedTable {
  const classes = new Map(inForce.lists.map((list) => [list.source, list.class]));
  return {
    ...next,
    lists: next.lists.map((list) =>
      sources.has(list.source) ? { ...list, class: classes.get(list.source) ?? 'unknown' } : list,
    ),
  };
}
