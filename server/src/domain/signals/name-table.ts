import { BUCKETS, eachFeature } from './name-features.ts';
import type { NameParts } from './name-parts.ts';

/** Weights in steps of 1/16, so that the same name has the same whole score on every machine. */
export const WEIGHT_STEPS = 16;

export type NameTable = {
  /** One weight for each bucket, in steps. */
  readonly weights: Int8Array;
  /**
   * The least score of an own domain that raises the signal; null: too few good names to tell. Tables of model 2 may have one
   * for tenants too.
   */
  readonly threshold: { readonly own: number | null; readonly tenant: number | null };
};

export const EMPTY_NAMES: NameTable = {
  weights: new Int8Array(BUCKETS),
  threshold: { own: null, tenant: null },
};

/** The score of a name in steps: above zero it resembles listed names more than good ones. */
export function scoreName({ weights }: Pick<NameTable, 'weights'>, parts: NameParts): number {
  let sum = 0;
  eachFeature(parts, (bucket) => {
    sum += weights[bucket] as number;
  });
  return sum;
}

export type NameSignal = {
  /** The parts of the name that weighed most, the heaviest first. */
  readonly words: readonly string[];
  readonly suffix: string;
};

const WORDS_MAX = 2;
const WORD_MIN = 3;

/** Null: the name does not resemble listed names enough. */
export function nameSignalOf(table: NameTable, parts: NameParts | null): NameSignal | null {
  const { threshold } = table;
  if (parts === null) return null;
  const least = parts.isTenant ? threshold.tenant : threshold.own;
  if (least === null || scoreName(table, parts) < least) return null;
  return { words: wordsOf(table, parts), suffix: parts.suffix };
}

/** Spreads the weight of each piece over its characters; of each word the heaviest run of characters is shown. */
function wordsOf({ weights }: NameTable, parts: NameParts): readonly string[] {
  const { text } = parts;
  const shares = new Float64Array(text.length);
  eachFeature(parts, (bucket, from, to) => {
    if (from < 0) return;
    const share = (weights[bucket] as number) / (to - from);
    for (let at = from; at < to; at += 1) shares[at] = (shares[at] as number) + share;
  });
  return [...text.matchAll(/[^.-]+/g)]
    .map(({ index, 0: word }) => heaviestRun(text, shares, index, index + word.length))
    .filter(({ word, weight }) => weight > 0 && word.length >= WORD_MIN)
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, WORDS_MAX)
    .map(({ word }) => word);
}

function heaviestRun(
  text: string,
  shares: Float64Array,
  from: number,
  to: number,
): { readonly word: string; readonly weight: number } {
  let best = { from, to: from, weight: 0 };
  let [start, sum] = [from, 0];
  for (let at = from; at < to; at += 1) {
    sum += shares[at] as number;
    if (sum <= 0) [start, sum] = [at + 1, 0];
    else if (sum > best.weight) best = { from: start, to: at + 1, weight: sum };
  }
  return { word: text.slice(best.from, best.to), weight: best.weight };
}
