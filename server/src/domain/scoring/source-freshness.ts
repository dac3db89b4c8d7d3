import type { SourceFacts } from './facts.ts';

const DAY_MS = 86_400_000;
const INTERVALS_MAX = 30;
const STALE_AFTER_MIN_MS = 14 * DAY_MS;

type Staleness = {
  /** Loaded, and not stale. */
  readonly isFresh: boolean;
  readonly isStale: boolean;
  /** Age of the data itself, not of the download; null when nothing was loaded yet. */
  readonly ageMs: number | null;
  readonly staleAfterMs: number;
};

/**
 * The one rule for a fresh source (O55): the age of its data against the interval that it promises, never the time of
 * our download. 20 of 73 dated lists were served more than a month after their last change (scoring finding 2).
 */
export function stalenessOf(source: Pick<SourceFacts, 'intervalS' | 'dataAtS'>, nowMs: number): Staleness {
  const staleAfterMs = Math.max(INTERVALS_MAX * source.intervalS * 1_000, STALE_AFTER_MIN_MS);
  if (source.dataAtS === 0) return { isFresh: false, isStale: false, ageMs: null, staleAfterMs };
  const ageMs = Math.max(0, nowMs - source.dataAtS * 1_000);
  const isStale = ageMs > staleAfterMs;
  return { isFresh: !isStale, isStale, ageMs, staleAfterMs };
}
