import type { Listing } from '../../server/src/capabilities/corpus/index.ts';
import {
  isThreat,
  type ListedType,
  lineageOf,
  scoreCategoryOf,
} from '../../server/src/domain/scoring/index.ts';
import type { Judge, Sample } from './judge-corpus.ts';
import { isAtLeast } from './level-counts.ts';

/** How many entries of a lineage each policy would still catch if that lineage did not exist. */
export type Recall = {
  entries: number;
  anyList: number;
  twoLists: number;
  low: number;
  medium: number;
  high: number;
};

const noRecall = (): Recall => ({ entries: 0, anyList: 0, twoLists: 0, low: 0, medium: 0, high: 0 });

/** Below this number a lineage's figures mean nothing. */
export const ENTRIES_MIN = 100;

/** The kind for a lineage lookup, because a source can be an echo of another lineage for one kind only. */
export const typeOf = ({ assessment }: Sample): ListedType => {
  const { kind } = assessment.subject;
  return kind === 'cidr' ? 'ip' : kind;
};

/**
 * Leaves one lineage out: each entry is judged without its lineage and without every aggregate, because an aggregate
 * that copies the held-out list would reveal the answer. There is no sampling: most entries have no other source, and
 * those cost nothing.
 */
export class HeldOut {
  readonly #byLineage = new Map<string, Recall>();
  readonly #byCategory = new Map<string, Recall>();
  readonly #judge: Judge;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  add(sample: Sample): void {
    const seen = new Set<string>();
    const type = typeOf(sample);
    for (const { source } of sample.own) {
      if (source.aggregate) continue;
      const lineage = lineageOf(source, type);
      if (seen.has(lineage)) continue;
      seen.add(lineage);
      const recalls = [
        recallOf(this.#byLineage, lineage),
        recallOf(this.#byCategory, scoreCategoryOf(source.category)),
      ];
      this.#hold(sample, lineage, recalls);
    }
  }

  #hold(sample: Sample, lineage: string, recalls: readonly Recall[]): void {
    for (const recall of recalls) recall.entries += 1;
    const type = typeOf(sample);
    const isKept = ({ source }: Listing): boolean => !source.aggregate && lineageOf(source, type) !== lineage;
    if (!sample.assessment.listings.some((listing) => isThreat(listing) && isKept(listing))) return;
    const left = sample.threats.filter(isKept).length;
    const { verdict } = this.#judge.without(
      sample,
      (source) =>
        source.threatClass === 'threat' && (source.aggregate || lineageOf(source, type) === lineage),
    );
    const { level } = verdict.riskScore;
    for (const recall of recalls) {
      if (left >= 1) recall.anyList += 1;
      if (left >= 2) recall.twoLists += 1;
      if (isAtLeast(level, 'low')) recall.low += 1;
      if (isAtLeast(level, 'medium')) recall.medium += 1;
      if (isAtLeast(level, 'high')) recall.high += 1;
    }
  }

  /** Largest first. Lineages below ENTRIES_MIN are left out. */
  lineages(): readonly (Recall & { readonly lineage: string })[] {
    return [...this.#byLineage]
      .filter(([, { entries }]) => entries >= ENTRIES_MIN)
      .map(([lineage, recall]) => ({ lineage, ...recall }))
      .sort((a, b) => b.entries - a.entries || (a.lineage < b.lineage ? -1 : 1));
  }

  categories(): readonly (Recall & { readonly category: string })[] {
    return [...this.#byCategory]
      .map(([category, recall]) => ({ category, ...recall }))
      .sort((a, b) => b.entries - a.entries);
  }
}

function recallOf(recalls: Map<string, Recall>, name: string): Recall {
  let recall = recalls.get(name);
  if (recall === undefined) {
    recall = noRecall();
    recalls.set(name, recall);
  }
  return recall;
}

export function recallOfAll(lineages: readonly Recall[]): Recall {
  const sum = noRecall();
  for (const recall of lineages)
    for (const field of Object.keys(sum) as (keyof Recall)[]) sum[field] += recall[field];
  return sum;
}
