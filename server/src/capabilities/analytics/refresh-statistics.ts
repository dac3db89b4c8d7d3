import { CORPUS, listSources } from '#capabilities/corpus/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import type { AllSlices } from './contract.ts';
import { type CorpusCounts, categoryMasks, foldCounts } from './count-threats.ts';
import { presentStatistics, timelineStartMs } from './present-statistics.ts';
import { refreshSlices, type SliceOptions } from './refresh-slices.ts';
import {
  activityByDay,
  countByMask,
  findStatistic,
  lockStatistics,
  newestSeq,
  prepareScan,
  recentActivity,
  writeStatistic,
} from './store.ts';

const COUNTS = 'corpus';
export const THREATS = 'threats';

/** The maximum age of figures (decisions 3.15). */
export const FRESH_MS = 5 * 60_000;

export type StatisticsDeps = {
  readonly clock: Clock;
  /** A transaction of the system role that may run for minutes. */
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  /** Writes other statistics that need the number of indicators, in the same transaction. */
  readonly onCounted?: (tx: Db, counted: Counted) => Promise<void>;
  /** Opens the geo reference for one count; when absent, the map is kept as it is. */
  readonly openCountries?: SliceOptions['openCountries'];
  /** Counts the CVE catalogue; when absent, its patterns are empty. */
  readonly countVulnerabilities?: (tx: Db) => Promise<AllSlices['vulnerabilityPatterns']>;
};
export type Counted = { readonly indicators: number; readonly nowMs: number; readonly seq: number };

export type RefreshOptions = {
  /** Figures younger than this are kept; 0 (the default) always recomputes. */
  readonly maxAgeMs?: number;
  readonly wait?: boolean;
};
export type RefreshReport = { readonly outcome: 'computed' | 'recent' | 'busy'; readonly recounted: boolean };

/**
 * Computes the figures of `/stats`, `/analytics` and `/sources/statistics`. The full scan runs only when the change log
 * has moved since the last one; figures relative to now (the last 24 hours) are computed every time.
 */
export function refreshStatistics(
  deps: StatisticsDeps,
  options: RefreshOptions = {},
): Promise<RefreshReport> {
  return deps.transaction(async (tx) => {
    if (!(await lockStatistics(tx, options.wait ?? false))) return { outcome: 'busy', recounted: false };
    const nowMs = Math.trunc(deps.clock.now());
    const last = await findStatistic(tx, THREATS);
    if (last !== undefined && Math.abs(nowMs - last.computedAtMs) < (options.maxAgeMs ?? 0))
      return { outcome: 'recent', recounted: false };
    const { counts, seq, recounted } = await count(tx, nowMs);
    const isForced = (options.maxAgeMs ?? 0) === 0;
    const { openCountries } = deps;
    const statistics = presentStatistics({
      counts,
      slices: await refreshSlices(tx, { nowMs, seq, isForced, openCountries }),
      sources: await listSources(tx),
      recent: await recentActivity(tx, nowMs),
      days: await activityByDay(tx, timelineStartMs(nowMs), nowMs),
      ...(deps.countVulnerabilities === undefined ? {} : { patterns: await deps.countVulnerabilities(tx) }),
      nowMs,
    });
    await writeStatistic(tx, THREATS, { value: statistics, seq, computedAtMs: nowMs });
    await deps.onCounted?.(tx, { indicators: counts.indicators, nowMs, seq });
    return { outcome: 'computed', recounted };
  });
}

export const readTotalThreats = async (db: Db): Promise<number | null> =>
  (await findStatistic<CorpusCounts>(db, COUNTS))?.value.threats ?? null;

/**
 * Reads the position in the change log before the scan: changes committed meanwhile may be counted, and the next scan
 * counts them again.
 */
async function count(
  tx: Db,
  nowMs: number,
): Promise<{ counts: CorpusCounts; seq: number; recounted: boolean }> {
  const seq = await newestSeq(tx, CORPUS);
  const known = await findStatistic<CorpusCounts>(tx, COUNTS);
  if (known !== undefined && known.seq === seq) return { counts: known.value, seq, recounted: false };
  const { bySource, categories } = categoryMasks(await listSources(tx));
  await prepareScan(tx);
  const counts = foldCounts(await countByMask(tx, bySource), categories);
  await writeStatistic(tx, COUNTS, { value: counts, seq, computedAtMs: nowMs });
  return { counts, seq, recounted: true };
}
