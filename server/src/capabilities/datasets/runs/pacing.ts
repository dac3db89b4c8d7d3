import { DAY_MS } from '#platform/time-units.ts';
import type { Fetchable } from '../contract.ts';

type Paced = Pick<Fetchable, 'pollS' | 'minIntervalS'>;

/** Jitter keeps sources with the same interval from being fetched in the same second for ever. */
const JITTER_SHARE = 0.1;
const FIRST_RETRY_MS = 300_000;
const BACKOFF_INTERVALS_MAX = 4;
/** A longer Retry-After of a publisher is cut to a week. */
const RETRY_AFTER_MAX_MS = 7 * DAY_MS;
/** A new deployment spreads the first requests of its sources over ten minutes. */
const FIRST_SPREAD_MS = 600_000;
const FIRST_STEP_MAX_MS = 5_000;

const intervalMs = ({ pollS, minIntervalS }: Paced): number => Math.max(pollS, minIntervalS) * 1_000;

/** `random`: 0 to 1. Never earlier than the interval. */
export const nextRunMs = (row: Paced, nowMs: number, random: number): number =>
  Math.round(nowMs + intervalMs(row) * (1 + JITTER_SHARE * random));

/** Doubles from five minutes to four intervals, and is never shorter than the publisher's minimum. */
export function nextRetryMs(
  row: Paced,
  nowMs: number,
  given: { readonly failures: number; readonly retryAfterMs: number | null; readonly random: number },
): number {
  const minMs = row.minIntervalS * 1_000;
  const maxMs = Math.max(minMs, BACKOFF_INTERVALS_MAX * intervalMs(row));
  const first = Math.min(FIRST_RETRY_MS, intervalMs(row));
  const backoff = Math.min(maxMs, Math.max(minMs, first * 2 ** Math.min(30, given.failures - 1)));
  const asked = Math.min(given.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return Math.round(nowMs + Math.max(backoff * (1 + JITTER_SHARE * given.random), asked));
}

/** First run of the nth of `total` new sources: the first one at once, the last within ten minutes. */
export const firstRunMs = (nowMs: number, nth: number, total: number): number =>
  Math.round(nowMs + nth * Math.min(FIRST_STEP_MAX_MS, FIRST_SPREAD_MS / Math.max(1, total)));
