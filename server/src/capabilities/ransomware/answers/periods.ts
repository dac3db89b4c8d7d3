import { DAY_MS } from '#platform/time-units.ts';
import type { SectorDay, TotalPeriods } from './count-store.ts';

export const PERIOD_DAYS = 30;

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

export const dayNumber = (ms: number): number => Math.floor(ms / DAY_MS);

export const victimsByDay = (days: readonly SectorDay[]): ReadonlyMap<number, number> =>
  new Map(days.map(({ day, victims }) => [dayNumber(Date.parse(day)), victims]));

/** The number of victims in the 30 days that end with `lastDay`. */
export function sumOf(victims: ReadonlyMap<number, number>, lastDay: number): number {
  let sum = 0;
  for (let day = lastDay - PERIOD_DAYS + 1; day <= lastDay; day += 1) sum += victims.get(day) ?? 0;
  return sum;
}
