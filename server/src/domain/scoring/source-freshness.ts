import { SECONDS_PER_HOUR, type SourceFacts } from './facts.ts';
import { isExpired, isOwnList } from './own-list.ts';

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

type Dated = Pick<SourceFacts, 'intervalS' | 'dataAtS'> &
  Partial<Pick<SourceFacts, 'ownList' | 'expiresDays' | 'lastFetchAtS'>>;

/**
 * The one rule for a fresh source (O55): the age of its data against the interval that it promises, never the time of
 * our download. 20 of 73 dated lists were served more than a month after their last change (scoring finding 2). An own
 * list promises no interval: it is fresh until its period is over (O81).
 */
export function stalenessOf(source: Dated, nowMs: number): Staleness {
  const staleAfterMs = Math.max(INTERVALS_MAX * source.intervalS * 1_000, STALE_AFTER_MIN_MS);
  if (source.dataAtS === 0) return { isFresh: false, isStale: false, ageMs: null, staleAfterMs };
  const ageMs = Math.max(0, nowMs - source.dataAtS * 1_000);
  const isStale = isOwnList(source) ? isOver(source, nowMs) : ageMs > staleAfterMs;
  return { isFresh: !isStale, isStale, ageMs, staleAfterMs };
}

const isOver = (source: Dated, nowMs: number): boolean =>
  isExpired(
    { ...source, lastFetchAtS: source.lastFetchAtS ?? 0 },
    Math.floor(nowMs / 1_000 / SECONDS_PER_HOUR),
  );
