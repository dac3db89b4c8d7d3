import { CORPUS, listSources, type Source } from '#capabilities/corpus/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import type { AllSlices } from './contract.ts';
import { activityByDay, addedBySource24h, byHour, recentActivity } from './count-activity.ts';
import { type CorpusCounts, categoryMasks, foldCounts } from './count-threats.ts';
import { presentStatistics, timelineStartMs } from './present-statistics.ts';
import { refreshActivity } from './refresh-activity.ts';
import { refreshSlices, type SliceOptions } from './refresh-slices.ts';
import {
  countByMask,
  findStatistic,
  lockStatistics,
  newestSeq,
  prepareScan,
  removedByHour,
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
export type Counted = {
  readonly indicators: number;
  /** Listings that began in the last 24 hours, by source number. */
  readonly added24h: ReadonlyMap<number, number>;
  readonly nowMs: number;
  readonly seq: number;
};

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
    // Read before the scans: changes committed meanwhile may be counted, and the next scan counts them again.
    const seq = await newestSeq(tx, CORPUS);
    const sources = await listSources(tx);
    const { openCountries } = deps;
    const isForced = (options.maxAgeMs ?? 0) === 0;
    const activity = await refreshActivity(tx, { nowMs, seq, sources });
    const removed = byHour(await removedByHour(tx, { fromMs: timelineStartMs(nowMs), nowMs }));
    const { counts, recounted } = await count(tx, { nowMs, seq, sources });
    const statistics = presentStatistics({
      counts,
      slices: await refreshSlices(tx, { nowMs, seq, isForced, openCountries }),
      sources,
      recent: recentActivity(activity.added, removed, nowMs),
      days: activityByDay(activity.added, removed, nowMs),
      ...(deps.countVulnerabilities === undefined ? {} : { patterns: await deps.countVulnerabilities(tx) }),
      nowMs,
    });
    await writeStatistic(tx, THREATS, { value: statistics, seq, computedAtMs: nowMs });
    const added24h = addedBySource24h(activity, nowMs);
    await deps.onCounted?.(tx, { indicators: counts.indicators, added24h, nowMs, seq });
    return { outcome: 'computed', recounted };
  });
}

export const readTotalThreats = async (db: Db): Promise<number | null> =>
  (await findStatistic<CorpusCounts>(db, COUNTS))?.value.threats ?? null;

async function count(
  tx: Db,
  {
    nowMs,
    seq,
    sources,
  }: { readonly nowMs: number; readonly seq: number; readonly sources: readonly Source[] },
): Promise<{ counts: CorpusCounts; recounted: boolean }> {
  const known = await findStatistic<CorpusCounts>(tx, COUNTS);
  if (known !== undefined && known.seq === seq) return { counts: known.value, recounted: false };
  const { bySource, categories } = categoryMasks(sources);
  await prepareScan(tx);
  const counts = foldCounts(await countByMask(tx, bySource), categories);
  await writeStatistic(tx, COUNTS, { value: counts, seq, computedAtMs: nowMs });
  return { counts, recounted: true };
}
