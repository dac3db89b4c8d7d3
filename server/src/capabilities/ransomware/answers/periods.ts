import { DAY_MS } from '#platform/time-units.ts';
import type { TotalPeriods } from './count-store.ts';

const PERIOD_DAYS = 30;

/** Whole days in UTC, today included, so that the last point of a history is what the other answers say. */
export function periodsAt(nowMs: number): TotalPeriods {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const now = new Date(nowMs);
  return {
    nowMs,
    from30dMs: today - (PERIOD_DAYS - 1) * DAY_MS,
    prev30dMs: today - (2 * PERIOD_DAYS - 1) * DAY_MS,
    monthMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1),
    yearMs: Date.UTC(now.getUTCFullYear(), 0, 1),
    dayAgoMs: nowMs - DAY_MS,
    weekAgoMs: nowMs - 7 * DAY_MS,
  };
}
