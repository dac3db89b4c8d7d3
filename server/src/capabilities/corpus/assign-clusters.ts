import type { Db } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import { CORPUS, SOURCES } from './dataset.ts';
import { sourceKey } from './source-key.ts';
import { recordRevision, updateClusters } from './store.ts';

/**
 * Stores the lineage cluster of each source, by source number; null means that the source counts by itself or by its
 * declared lineage. Returns the numbers whose cluster changed. Call it last in a transaction, because it takes the
 * change log's lock. A source in the middle of a merge keeps its cluster until the next run.
 */
export async function assignClusters(
  tx: Db,
  clusters: ReadonlyMap<number, string | null>,
  nowMs: number,
): Promise<readonly number[]> {
  const changed = await updateClusters(tx, [...clusters.keys()], [...clusters.values()]);
  for (const number of changed) await recordRevision(tx, number, nowMs);
  await appendChanges(tx, CORPUS, SOURCES, changed.map(sourceKey));
  return changed;
}
