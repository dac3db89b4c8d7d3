import { AGE_GROUPS, type AgeGroup } from './age-group.ts';
import type { Cell, LearnedTable, ListClass, ListRecord } from './learned-table.ts';

/** The properties of a registered source that decide what it is worth before anything is learned of it. */
export type RatedSource = {
  readonly id: string;
  readonly letter: string;
  readonly fpRisk: 'low' | 'medium' | 'high';
  readonly category: string;
  readonly lineage: string | null;
  readonly semantics: string;
  readonly keepsEntries: boolean;
};

export type RatedShare = {
  readonly share: number;
  /** Where the share comes from: its own cell, the other cells of the source, a list of the same operator, its grade. */
  readonly from: 'cell' | 'source' | 'lineage' | 'grade';
  /** True: the cell comes with the release, or was learned for 30 nights from at least 1,000 entries. */
  readonly isProven: boolean;
};

/** The learned table that is in force, by source. */
export type WeightBook = {
  readonly version: string;
  /** Eight hexadecimal digits of the content; part of every snapshotId. */
  readonly digest: string;
  readonly table: LearnedTable;
  readonly shareOf: (source: RatedSource, group: AgeGroup) => RatedShare;
  readonly classOf: (source: RatedSource) => ListClass;
  /** The share of entries that come back after they left; null: not measured. */
  readonly back30Of: (sourceId: string) => number | null;
  readonly cellOf: (sourceId: string, group: AgeGroup) => Cell | null;
  readonly listOf: (sourceId: string) => ListRecord | null;
  /** How many names below a platform people visit; 0 for one that is not in the table. */
  readonly sizeOf: (platform: string) => number;
};

/** The share that a grade stands for, before anything is counted; times the factor of the false-positive risk. */
const PRIOR: Readonly<Record<string, number>> = { A: 0.0003, B: 0.001, C: 0.003, D: 0.01, E: 0.03, F: 0.01 };
const PRIOR_OF_RISK = { low: 0.5, medium: 1, high: 3 } as const;
/** The prior and the rest of the source weigh as much as this many entries. */
export const PRIOR_ENTRIES = 1_000;
const PROVEN_NIGHTS = 30;
const PROVEN_ENTRIES = 1_000;

export const priorShareOf = ({ letter, fpRisk }: Pick<RatedSource, 'letter' | 'fpRisk'>): number =>
  (PRIOR[letter] ?? (PRIOR.F as number)) * PRIOR_OF_RISK[fpRisk];

export function weightBookOf(table: LearnedTable, digest: string): WeightBook {
  const cells = new Map(table.cells.map((cell) => [`${cell.source} ${cell.group}`, cell]));
  const lists = new Map(table.lists.map((list) => [list.source, list]));
  const cellOf = (id: string, group: AgeGroup): Cell | null => cells.get(`${id} ${group}`) ?? null;
  const sizes = new Map(table.platforms.map(({ suffix, size }) => [suffix, size]));
  const largestOfLineage = largestShares(table);
  return {
    version: table.version,
    digest,
    table,
    cellOf,
    listOf: (id) => lists.get(id) ?? null,
    sizeOf: (platform) => sizes.get(platform) ?? 0,
    back30Of: (id) => lists.get(id)?.back30 ?? null,
    classOf: ({ id, semantics, keepsEntries }) =>
      semantics === 'archive' || keepsEntries ? 'keeps' : (lists.get(id)?.class ?? 'unknown'),
    shareOf: (source, group) => {
      const own = cellOf(source.id, group);
      if (own !== null) return { share: own.f, from: 'cell', isProven: isProven(own) };
      const others = AGE_GROUPS.flatMap((each) => cellOf(source.id, each) ?? []);
      if (others.length > 0)
        return {
          share: between(restOf(others, source), group, others),
          from: 'source',
          isProven: others.some(isProven),
        };
      const ofLineage = largestOfLineage.get(familyOf(source));
      if (ofLineage !== undefined) return { share: ofLineage, from: 'lineage', isProven: false };
      return { share: priorShareOf(source), from: 'grade', isProven: false };
    },
  };
}

/** A cell of the release, or one learned often enough from enough entries. */
export const isProven = ({ nights, n }: Pick<Cell, 'nights' | 'n'>): boolean =>
  nights === undefined || (nights >= PROVEN_NIGHTS && n >= PROVEN_ENTRIES);

/** The share of the other cells of a source, drawn towards the prior of its grade. */
export function restOf(
  others: readonly Pick<Cell, 'n' | 'h'>[],
  of: Pick<RatedSource, 'letter' | 'fpRisk'>,
): number {
  const [n, h] = others.reduce(([n, h], cell) => [n + cell.n, h + cell.h], [0, 0]);
  return (h + PRIOR_ENTRIES * priorShareOf(of)) / (n + PRIOR_ENTRIES);
}

const DATED = ['F', 'M', 'O'];
/** A cell that is missing lies between its neighbours, because a younger entry never weighs less than an older one. */
function between(share: number, group: AgeGroup, others: readonly Cell[]): number {
  const at = DATED.indexOf(group);
  if (at === -1) return share;
  const of = (is: (index: number) => boolean): readonly number[] =>
    others.flatMap((cell) => (DATED.includes(cell.group) && is(DATED.indexOf(cell.group)) ? [cell.f] : []));
  const least = Math.max(share, ...of((index) => index < at));
  return Math.min(least, ...of((index) => index > at));
}

const familyOf = ({ lineage, id, category }: Pick<RatedSource, 'lineage' | 'id' | 'category'>): string =>
  `${lineage ?? id} ${category}`;

/** By operator and category, the largest share of a cell: what a list of theirs is worth before it has cells. */
function largestShares({ cells, lists }: LearnedTable): ReadonlyMap<string, number> {
  const families = new Map(lists.map(({ source, lineage, category }) => [source, `${lineage} ${category}`]));
  const largest = new Map<string, number>();
  for (const { source, f } of cells) {
    const family = families.get(source);
    if (family !== undefined) largest.set(family, Math.max(f, largest.get(family) ?? 0));
  }
  return largest;
}
