import type { StatisticsDeps } from '#capabilities/analytics/index.ts';
import { openCountries } from '#capabilities/enrichment/index.ts';
import { refreshSourceStatistics } from '#capabilities/feeds/index.ts';
import type { Artifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';

/**
 * The corpus is counted once, by analytics; the statistics of sources take the number from there. `artifacts`: where the
 * geo file is, for the map of countries; whoever has none leaves the map to the worker.
 */
export const statisticsDeps = (clock: Clock, artifacts?: Artifacts): Omit<StatisticsDeps, 'transaction'> => ({
  clock,
  onCounted: refreshSourceStatistics,
  ...(artifacts !== undefined && { openCountries: (db) => openCountries(db, artifacts) }),
});
