import { AGE_GROUPS, type AgeGroup } from './age-group.ts';
import type { EntryCount } from './gone-entries.ts';
import { PRIOR_ENTRIES, priorShareOf, type RatedSource, restOf } from './weight-book.ts';

export type CountedCell = EntryCount & { readonly group: AgeGroup };
type Graded = Pick<RatedSource, 'letter' | 'fpRisk'>;

/**
 * The visited share of each cell of one source: the count with half a standard deviation, drawn towards the rest of the
 * source by 1,000 entries. A younger cell never has a larger share than an older one.
 */
export function sharesOfSource(cells: readonly CountedCell[], source: Graded): ReadonlyMap<AgeGroup, number> {
  const shares = new Map(
    cells.map((cell) => {
      const others = cells.filter((other) => other !== cell);
      return [cell.group, drawnShare(cell, restOf(others, source))];
    }),
  );
  return monotone(cells, shares);
}

/** The share of all names of a source, as if they were one cell. */
export function shareOfAll(cells: readonly EntryCount[], source: Graded): number {
  const all = cells.reduce((sum, { n, h }) => ({ n: sum.n + n, h: sum.h + h }), { n: 0, h: 0 });
  return drawnShare(all, priorShareOf(source));
}

const drawnShare = ({ n, h }: EntryCount, rest: number): number =>
  (h + Math.sqrt(h) / 2 + PRIOR_ENTRIES * rest) / (n + PRIOR_ENTRIES);

type Block = { share: number; n: number; readonly groups: AgeGroup[] };

/** Pools adjacent violators from the youngest group on, each weighed by its entries. Undated entries have no order. */
function monotone(
  cells: readonly CountedCell[],
  shares: ReadonlyMap<AgeGroup, number>,
): ReadonlyMap<AgeGroup, number> {
  const blocks: Block[] = [];
  for (const group of AGE_GROUPS) {
    const cell = cells.find((each) => each.group === group);
    if (group === 'U' || cell === undefined) continue;
    blocks.push({ share: shares.get(group) ?? 0, n: cell.n, groups: [group] });
    for (let last = blocks.at(-1), before = blocks.at(-2); last && before && before.share > last.share; ) {
      before.share = meanOf(before, last);
      before.n += last.n;
      before.groups.push(...last.groups);
      blocks.pop();
      [last, before] = [blocks.at(-1), blocks.at(-2)];
    }
  }
  const pooled = new Map(shares);
  for (const { share, groups } of blocks) for (const group of groups) pooled.set(group, share);
  return pooled;
}

function meanOf(a: Block, b: Block): number {
  const n = a.n + b.n;
  return n > 0 ? (a.share * a.n + b.share * b.n) / n : (a.share + b.share) / 2;
}
