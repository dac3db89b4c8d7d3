export type DayOverlap = {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly smaller: number;
  readonly larger: number;
  readonly containment: number;
  readonly smallerEntries: number;
};

export type JoinedPair = {
  readonly smaller: number;
  readonly larger: number;
  /** Containment on the latest day. */
  readonly containment: number;
  /** Days on which the containment was high enough. */
  readonly days: number;
  readonly daysMeasured: number;
  /** Fewer than seven days of history, so the result may change. */
  readonly isProvisional: boolean;
};

/** A pair needs at least 0.80 of at least 100 entries on 5 of 7 days (scoring 3). */
export const JOIN_CONTAINMENT_MIN = 0.8;
export const JOIN_ENTRIES_MIN = 100;
export const WINDOW_DAYS = 7;
const JOIN_DAYS = 5;

/** With fewer days the same share is required, rounded up: 1 of 1, 2 of 2, 3 of 3, 3 of 4, 4 of 5, 5 of 6. */
const daysNeeded = (measured: number): number => Math.ceil((measured * JOIN_DAYS) / WINDOW_DAYS);

/**
 * The pairs that belong together. `measuredDays` gives the days of the window on which each source was measured: a
 * source that is new today has one day of history with every other, and is judged by it (scoring ruling 4).
 */
export function joinPairs(
  overlaps: readonly DayOverlap[],
  measuredDays: ReadonlyMap<number, ReadonlySet<string>>,
): readonly JoinedPair[] {
  const byPair = new Map<string, DayOverlap[]>();
  for (const overlap of overlaps) {
    const name = [overlap.smaller, overlap.larger].sort((a, b) => a - b).join(' ');
    const days = byPair.get(name);
    if (days === undefined) byPair.set(name, [overlap]);
    else days.push(overlap);
  }
  return [...byPair.values()].flatMap((days) => joinedPair(days, measuredDays) ?? []);
}

function joinedPair(
  overlaps: readonly DayOverlap[],
  measuredDays: ReadonlyMap<number, ReadonlySet<string>>,
): JoinedPair | null {
  // Which of the two sources is the smaller may change overnight, so the latest day decides.
  const latest = overlaps.reduce((a, b) => (b.day > a.day ? b : a));
  const daysOfLarger = measuredDays.get(latest.larger);
  const common = [...(measuredDays.get(latest.smaller) ?? [])].filter(
    (day) => daysOfLarger?.has(day) === true,
  );
  const days = overlaps.filter(
    ({ day, containment, smallerEntries }) =>
      common.includes(day) && containment >= JOIN_CONTAINMENT_MIN && smallerEntries >= JOIN_ENTRIES_MIN,
  ).length;
  if (days === 0 || days < daysNeeded(common.length)) return null;
  return {
    smaller: latest.smaller,
    larger: latest.larger,
    containment: latest.containment,
    days,
    daysMeasured: common.length,
    isProvisional: common.length < WINDOW_DAYS,
  };
}
