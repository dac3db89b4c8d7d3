import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { type DayActivity, dayOf, type RecentActivity } from './present-statistics.ts';

/** Additions or removals of one source in an hour of UTC, which is numbered from the epoch. */
export type HourCount = { readonly sourceNumber: number; readonly hour: number; readonly count: number };

type ByHour = Readonly<Record<string, number>>;

/** When listings began: by the date that the source gives an entry, else the day on which it appeared in the list (O55). */
export type ListingActivity = {
  /** Listings of threat sources by hour. */
  readonly added: ByHour;
  /** Listings of every source by hour, by source number; only the newest hours. */
  readonly addedBySource: Readonly<Record<string, ByHour>>;
};

const DAY_HOURS = DAY_MS / HOUR_MS;
const WEEK_HOURS = 7 * DAY_HOURS;
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);

/** `counted` has the numbers of the threat sources. An hour in the future is kept for a day, until it has come. */
export function foldActivity(
  rows: readonly HourCount[],
  counted: ReadonlySet<number>,
  nowMs: number,
): ListingActivity {
  const nowH = hourOf(nowMs);
  const added: Record<string, number> = {};
  const addedBySource: Record<string, Record<string, number>> = {};
  for (const { sourceNumber, hour, count } of rows) {
    if (hour > nowH + DAY_HOURS) continue;
    if (counted.has(sourceNumber)) added[hour] = (added[hour] ?? 0) + count;
    if (hour <= nowH - DAY_HOURS) continue;
    addedBySource[sourceNumber] = { ...addedBySource[sourceNumber], [hour]: count };
  }
  return { added, addedBySource };
}

export function byHour(rows: readonly HourCount[]): ByHour {
  const counts: Record<string, number> = {};
  for (const { hour, count } of rows) counts[hour] = (counts[hour] ?? 0) + count;
  return counts;
}

/** The sum of this hour and of those before it, `hours` in all, ending `endH` hours ago. */
function sumOf(counts: ByHour, nowMs: number, hours: number, endH = 0): number {
  const lastH = hourOf(nowMs) - endH;
  let sum = 0;
  for (const [hour, count] of Object.entries(counts))
    if (Number(hour) <= lastH && Number(hour) > lastH - hours) sum += count;
  return sum;
}

/** By whole hours, of which the running one is the last. */
export const recentActivity = (added: ByHour, removed: ByHour, nowMs: number): RecentActivity => ({
  added24h: sumOf(added, nowMs, DAY_HOURS),
  removed24h: sumOf(removed, nowMs, DAY_HOURS),
  added7d: sumOf(added, nowMs, WEEK_HOURS),
  addedBefore7d: sumOf(added, nowMs, WEEK_HOURS, WEEK_HOURS),
});

/** Days (UTC) with additions or removals until now. */
export function activityByDay(added: ByHour, removed: ByHour, nowMs: number): readonly DayActivity[] {
  const days = new Map<string, DayActivity>();
  const add = (counts: ByHour, as: (count: number) => Omit<DayActivity, 'day'>): void => {
    for (const [hour, count] of Object.entries(counts)) {
      if (Number(hour) > hourOf(nowMs)) continue;
      const day = dayOf(Number(hour) * HOUR_MS);
      const before = days.get(day) ?? { day, added: 0, removed: 0 };
      const more = as(count);
      days.set(day, { day, added: before.added + more.added, removed: before.removed + more.removed });
    }
  };
  add(added, (count) => ({ added: count, removed: 0 }));
  add(removed, (count) => ({ added: 0, removed: count }));
  return [...days.values()];
}

/** Listings that began in the last 24 hours, by source number. */
export const addedBySource24h = (
  { addedBySource }: ListingActivity,
  nowMs: number,
): ReadonlyMap<number, number> =>
  new Map(
    Object.entries(addedBySource).map(([number, counts]) => [
      Number(number),
      sumOf(counts, nowMs, DAY_HOURS),
    ]),
  );
