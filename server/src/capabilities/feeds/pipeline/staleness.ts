import type { Source } from '#capabilities/corpus/index.ts';
import { DAY_MS } from '#platform/time-units.ts';

const INTERVALS_MAX = 30;
const STALE_AFTER_MIN_MS = 14 * DAY_MS;

export type Staleness = {
  readonly isStale: boolean;
  /** Age of the data itself, not of the download; null when nothing was loaded yet. */
  readonly ageMs: number | null;
  readonly staleAfterMs: number;
};

/** 20 of 73 dated lists were served more than a month after their last change (scoring finding 2). */
export function stalenessOf(source: Pick<Source, 'intervalS' | 'dataAtS'>, nowMs: number): Staleness {
  const staleAfterMs = Math.max(INTERVALS_MAX * source.intervalS * 1_000, STALE_AFTER_MIN_MS);
  if (source.dataAtS === 0) return { isStale: false, ageMs: null, staleAfterMs };
  const ageMs = Math.max(0, nowMs - source.dataAtS * 1_000);
  return { isStale: ageMs > staleAfterMs, ageMs, staleAfterMs };
}
