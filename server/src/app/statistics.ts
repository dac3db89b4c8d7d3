import type { StatisticsDeps } from '#capabilities/analytics/index.ts';
import { refreshSourceStatistics } from '#capabilities/feeds/index.ts';
import type { Clock } from '#platform/clock.ts';

/** The corpus is counted once, by analytics; the statistics of sources take the number from there. */
export const statisticsDeps = (clock: Clock): Omit<StatisticsDeps, 'transaction'> => ({
  clock,
  onCounted: refreshSourceStatistics,
});
