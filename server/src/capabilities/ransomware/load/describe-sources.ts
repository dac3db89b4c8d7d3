import { listDatasets } from '#capabilities/datasets/index.ts';
import type { Db } from '#platform/postgres.ts';
import { RANSOMWARE_DATASETS, type RansomwareDataset } from '../definitions.ts';
import { listUnfinishedLoads } from './load-store.ts';

export type SourceStatus = {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  readonly status: 'fresh' | 'stale' | 'failing' | 'missing';
  readonly dataAt: string | null;
  readonly records: number;
  readonly problem: string | null;
  /** Rows written by an interrupted load; a load of the same file continues there. Null: none was interrupted. */
  readonly unfinishedAt: number | null;
};

export async function describeSources(db: Db, nowMs: number): Promise<readonly SourceStatus[]> {
  const rows = new Map((await listDatasets(db)).map((row) => [row.id, row]));
  const unfinished = new Map((await listUnfinishedLoads(db)).map((load) => [load.datasetId, load.rowsDone]));
  return RANSOMWARE_DATASETS.map((definition) => {
    const { dataAtMs = null, entries = 0, problem = null } = rows.get(definition.id) ?? {};
    return {
      id: definition.id,
      name: definition.name,
      licence: definition.licence,
      status: statusOf(definition, { dataAtMs, problem, nowMs }),
      dataAt: dataAtMs === null ? null : new Date(dataAtMs).toISOString(),
      records: entries,
      problem,
      unfinishedAt: unfinished.get(definition.id) ?? null,
    };
  });
}

function statusOf(
  { staleAfterMs }: RansomwareDataset,
  {
    dataAtMs,
    problem,
    nowMs,
  }: { readonly dataAtMs: number | null; readonly problem: string | null; readonly nowMs: number },
): SourceStatus['status'] {
  if (problem !== null) return 'failing';
  if (dataAtMs === null) return 'missing';
  return nowMs - dataAtMs > staleAfterMs ? 'stale' : 'fresh';
}
