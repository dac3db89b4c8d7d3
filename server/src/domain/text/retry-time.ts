import { duration } from './duration.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A midnight in UTC in words: "tomorrow at 00:00 UTC", or with its date when it is further away. */
export const midnight = (atMs: number, nowMs: number): string =>
  atMs - nowMs <= DAY_MS
    ? 'tomorrow at 00:00 UTC'
    : `on ${new Date(atMs).toISOString().slice(0, 10)} at 00:00 UTC`;

/**
 * When a refused caller may try again: "in 45 seconds", or at a midnight where the limit is one of a day or a month.
 * `resetMs` is the time at which the limit is free again.
 */
export function retryTime({
  waitMs,
  resetMs,
}: {
  readonly waitMs: number;
  readonly resetMs: number;
}): string {
  const isMidnight = resetMs % DAY_MS === 0 && waitMs > HOUR_MS;
  return isMidnight ? midnight(resetMs, resetMs - waitMs) : `in ${duration(waitMs)}`;
}
