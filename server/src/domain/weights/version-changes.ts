import type { LearnedTable, ListClass, ListRecord } from './learned-table.ts';
import { isProven } from './weight-book.ts';

/** Whether two tables score every name alike. What they remember and count besides makes no new version. */
export const isEqualInForce = (a: LearnedTable, b: LearnedTable): boolean =>
  inForceOf(a) === inForceOf(b) && classChanges(a, b).length === 0;

const inForceOf = ({ model, cells, platforms }: LearnedTable): string =>
  JSON.stringify([
    model,
    cells.map((cell) => `${cell.source} ${cell.group} ${cell.f} ${isProven(cell)}`).sort(),
    platforms.map(({ suffix, size }) => `${suffix} ${size}`).sort(),
  ]);

export type ClassChange = {
  readonly source: string;
  readonly from: ListClass;
  readonly to: ListClass;
};

/** The measured classes that differ. A source that is not in a table is `unknown`, as one that was never measured. */
export function classChanges(before: LearnedTable, after: LearnedTable): readonly ClassChange[] {
  const [known, learned] = [recordsOf(before), recordsOf(after)];
  return [...new Set([...known.keys(), ...learned.keys()])].sort().flatMap((source) => {
    const [was, is] = [known.get(source), learned.get(source)];
    const [from, to] = [was?.class ?? 'unknown', is?.class ?? 'unknown'];
    const isDeclared = was?.declared === true || is?.declared === true;
    return from === to || isDeclared ? [] : [{ source, from, to }];
  });
}

const recordsOf = ({ lists }: LearnedTable): ReadonlyMap<string, ListRecord> =>
  new Map(lists.map((list) => [list.source, list]));

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

export type LargeClassChange = ClassChange & { readonly entriesAtBlock: number };

const BLOCK_POINTS = 60;
const AT_BLOCK_MAX = 1_000;

/**
 * Classes that would change for sources with more than 1,000 entries at block, before or after the change. Counted are the
 * entries listed now whose cell alone reaches the level.
 */
export const largeClassChanges = (inForce: LearnedTable, next: LearnedTable): readonly LargeClassChange[] =>
  classChanges(inForce, next).flatMap((change) => {
    const entriesAtBlock = Math.max(atBlock(inForce, change.source), atBlock(next, change.source));
    return entriesAtBlock > AT_BLOCK_MAX ? [{ ...change, entriesAtBlock }] : [];
  });

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
  const known = recordsOf(inForce);
  return {
    ...next,
    lists: next.lists.map((list) =>
      sources.has(list.source) ? { ...list, class: known.get(list.source)?.class ?? 'unknown' } : list,
    ),
  };
}
