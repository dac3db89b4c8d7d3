import type { StatisticsDeps } from '#capabilities/analytics/index.ts';
import { describePatterns } from '#capabilities/cve/index.ts';
import { openCountries } from '#capabilities/enrichment/index.ts';
import { refreshSourceStatistics } from '#capabilities/feeds/index.ts';
import type { Artifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';

/**
 * Analytics counts the corpus once, and the source statistics reuse its number. `artifacts` holds the geo file for
 * the map of countries; a process without it leaves the map to the worker.
 */
export const statisticsDeps = (clock: Clock, artifacts?: Artifacts): Omit<StatisticsDeps, 'transaction'> => ({
  clock,
  onCounted: refreshSourceStatistics,
  countVulnerabilities: describePatterns,
  ...(artifacts !== undefined && { openCountries: (db) => openCountries(db, artifacts) }),
});
