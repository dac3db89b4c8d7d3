import { listSources } from '#capabilities/corpus/index.ts';
import type { Db } from '#platform/postgres.ts';
import { listFeedStates } from '../freshness/store.ts';
import { presentStatistics } from './present-sources.ts';
import { listChanges24h, writeSourceStatistic } from './store.ts';

/**
 * Writes the figures of /sources/statistics in the caller's transaction. The number of indicators is an argument,
 * because the caller counts it once for several uses.
 */
export async function refreshSourceStatistics(
  tx: Db,
  counted: { readonly indicators: number; readonly nowMs: number; readonly seq: number },
): Promise<void> {
  const { indicators, nowMs, seq } = counted;
  const statistics = presentStatistics({
    sources: await listSources(tx),
    states: await listFeedStates(tx),
    changes: await listChanges24h(tx, nowMs),
    indicators,
    nowMs,
  });
  await writeSourceStatistic(tx, statistics, nowMs, seq);
}
