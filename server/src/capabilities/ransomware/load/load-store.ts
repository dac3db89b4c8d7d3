import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** Claims are made of the posts of all trackers, so one batch of one load is written at a time. */
export const lockLoads = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('assay.ransomware', 0))`.execute(tx);

export type LoadKey = { readonly datasetId: string; readonly sha256: string };
export type LoadState = {
  readonly rowsDone: number;
  readonly isFirst: boolean;
  readonly claims: number;
  readonly events: number;
};

/** The state of an interrupted load of the same file, or a new one. */
export async function beginLoad(
  tx: Db,
  load: LoadKey & { readonly startedAtMs: number; readonly isFirst: boolean },
): Promise<LoadState> {
  const { rows } = await sql<LoadState>`
    insert into ransomware_load (dataset_id, sha256, rows_done, started_at, is_first)
    values (${load.datasetId}, ${load.sha256}, 0, ${timestampOf(load.startedAtMs)}, ${load.isFirst})
    on conflict (dataset_id, sha256) do update set rows_done = ransomware_load.rows_done
    returning rows_done as "rowsDone", is_first as "isFirst", claims, events`.execute(tx);
  return rows[0] ?? { rowsDone: 0, isFirst: load.isFirst, claims: 0, events: 0 };
}

export const saveLoad = (tx: Db, { datasetId, sha256 }: LoadKey, state: LoadState): Promise<unknown> =>
  sql`
    update ransomware_load set rows_done = ${state.rowsDone}, claims = ${state.claims}, events = ${state.events}
     where dataset_id = ${datasetId} and sha256 = ${sha256}`.execute(tx);

/** Also ends older loads of the data set that never finished: their file has been replaced. */
export const endLoad = (tx: Db, datasetId: string): Promise<unknown> =>
  sql`delete from ransomware_load where dataset_id = ${datasetId}`.execute(tx);

export type UnfinishedLoad = { readonly datasetId: string; readonly rowsDone: number };

export async function listUnfinishedLoads(db: Db): Promise<readonly UnfinishedLoad[]> {
  const { rows } = await sql<UnfinishedLoad>`
    select dataset_id as "datasetId", rows_done as "rowsDone" from ransomware_load order by dataset_id limit 1000`.execute(
    db,
  );
  return rows;
}
