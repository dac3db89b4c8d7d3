import { MODEL } from './model.ts';

/**
 * The reliability of a source, learned from what became of its entries (scoring 7). Its letter is the prior and
 * weighs as much as 20 judged entries; observations then move it, slowly and within bounds. No score changes before
 * the registry adopts the value: the score only reads the reliability of the registry.
 */
export type Letter = 'A' | 'B' | 'C' | 'D' | 'E' | 'F';

/** Entries judged, confirmed by others, and disputed; fractions, because old entries fade. */
export type Counts = { readonly seen: number; readonly conf: number; readonly disp: number };

export type Prior = {
  /** 0 to 1: the letter's value, or the catalogue's own. */
  readonly reliability: number;
  readonly isAggregate: boolean;
};

export const NO_COUNTS: Counts = { seen: 0, conf: 0, disp: 0 };

export const LEARNING = {
  /** The prior as good/bad votes of 20: A 19/1, B 15/5, C 10/10, D 7/13, E 4/16; F is not rated and starts like D. */
  byLetter: { A: 0.95, B: 0.75, C: 0.5, D: 0.35, E: 0.2, F: 0.35 } satisfies Record<Letter, number>,
  priorWeight: 20,
  /**
   * Most true entries are on one list only, neither confirmed nor disputed, so the plain counts of a large list would
   * outweigh its letter: 20 disputed among 20,000 would halve a B, and 1,000 confirmed would make a D 0.99 (measured
   * on real lists). Counts are therefore scaled as if this many entries had been judged, twice the weight of the
   * letter: a B with 5 % confirmed is 0.77, a C with a third 0.70; a B with 10 % disputed is 0.63, with everything
   * disputed 0.25.
   */
  seenWeightMax: 40,
  halfLifeDays: 90,
  /** The most that one night changes, because one bad night must not change a verdict. */
  stepMax: 0.02,
  /** A smaller step is not worth a new revision of the registry, which every replay reads. */
  stepMin: 0.005,
  min: 0.05,
  /** The same bound as for one listing: no source is certain. */
  max: MODEL.weightMax,
} as const;

/** The reliability that the letter alone gives, capped for an aggregate: it has no evidence of its own (ruling 4). */
export const priorOf = (letter: Letter, isAggregate: boolean): number =>
  bounded(LEARNING.byLetter[letter], isAggregate);

/** With a0 good and b0 bad votes of the prior: R = (a0 + conf) / (a0 + b0 + conf + disp), within the bounds. */
export function posterior({ reliability, isAggregate }: Prior, { seen, conf, disp }: Counts): number {
  const { priorWeight, seenWeightMax } = LEARNING;
  const scale = Math.min(1, seenWeightMax / Math.max(seen, conf + disp, 1));
  const alpha = bounded(reliability, isAggregate) * priorWeight + conf * scale;
  return bounded(alpha / (priorWeight + (conf + disp) * scale), isAggregate);
}

export function fadeCounts({ seen, conf, disp }: Counts, days: number): Counts {
  const left = 2 ** (-Math.max(0, days) / LEARNING.halfLifeDays);
  return { seen: seen * left, conf: conf * left, disp: disp * left };
}

export const addCounts = (a: Counts, b: Counts): Counts => ({
  seen: a.seen + b.seen,
  conf: a.conf + b.conf,
  disp: a.disp + b.disp,
});

/** The next value of the registry: towards the target by at most one step; unchanged when the step would be tiny. */
export function stepTowards(current: number, target: number): number {
  const { stepMax, stepMin } = LEARNING;
  const step = Math.max(-stepMax, Math.min(stepMax, target - current));
  return Math.abs(step) < stepMin ? current : Math.round((current + step) * 1_000) / 1_000;
}

function bounded(reliability: number, isAggregate: boolean): number {
  const max = isAggregate ? MODEL.aggregateReliabilityMax : LEARNING.max;
  return Math.max(LEARNING.min, Math.min(max, reliability));
}
