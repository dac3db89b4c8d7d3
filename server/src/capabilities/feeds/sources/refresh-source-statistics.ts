import { listSources } from '#capabilities/corpus/index.ts';
import type { Db } from '#platform/postgres.ts';
import { listFeedStates } from '../freshness/store.ts';
import { presentStatistics } from './present-sources.ts';
import { listRemoved24h, writeSourceStatistic } from './store.ts';

/**
 * Writes the figures of /sources/statistics in the caller's transaction. The numbers of indicators and of new entries are
 * arguments, because the caller counts them once for several uses.
 */
export async function refreshSourceStatistics(
  tx: Db,
  counted: {
    readonly indicators: number;
    readonly added24h: ReadonlyMap<number, number>;
    readonly nowMs: number;
    readonly seq: number;
  },
): Promise<void> {
  const { indicators, added24h, nowMs, seq } = counted;
  const statistics = presentStatistics({
    sources: await listSources(tx),
    states: await listFeedStates(tx),
    added24h,
    removed24h: await listRemoved24h(tx, nowMs),
    indicators,
    nowMs,
  });
  await writeSourceStatistic(tx, statistics, nowMs, seq);
}
