import type { Db } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import type { Source } from './contract.ts';
import { CORPUS, SOURCES } from './dataset.ts';
import { sourceKey } from './source-key.ts';
import { recordRevision, updateLineages } from './store.ts';

type AssignedLineage = Pick<Source, 'cluster' | 'echoes'>;

/**
 * Stores the lineage of each source, by source number; a cluster of null means that the source counts by itself or by
 * its declared lineage. Returns the numbers whose lineage changed. Call it last in a transaction, because it takes the
 * change log's lock. A source in the middle of a merge keeps its lineage until the next run.
 */
export async function assignClusters(
  tx: Db,
  lineages: ReadonlyMap<number, AssignedLineage>,
  nowMs: number,
): Promise<readonly number[]> {
  const given = [...lineages.values()];
  const changed = await updateLineages(
    tx,
    [...lineages.keys()],
    given.map(({ cluster }) => cluster),
    given.map(({ echoes }) => echoes),
  );
  for (const number of changed) await recordRevision(tx, number, nowMs);
  await appendChanges(tx, CORPUS, SOURCES, changed.map(sourceKey));
  return changed;
}
