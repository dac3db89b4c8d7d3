import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** Claims are made of the posts of all sources, so one batch of one load is written at a time. */
export const lockLoads = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('assay.ransomware', 0))`.execute(tx);

export type SourceState = {
  readonly id: string;
  readonly dataAtMs: number;
  readonly loadedAtMs: number;
  readonly records: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly files: readonly string[];
  readonly problem: string | null;
};

const columns = sql`id, ${msOf('data_at')} as "dataAtMs", ${msOf('loaded_at')} as "loadedAtMs", records, refused, files, problem`;

/** Undefined before the first content; a source that was only refused so far has no content. */
export async function findSourceState(db: Db, id: string): Promise<SourceState | undefined> {
  const { rows } = await sql<SourceState>`
    select ${columns} from ransomware_source where id = ${id} and files <> '[]'::jsonb`.execute(db);
  return rows[0];
}

export async function listSourceStates(db: Db): Promise<readonly SourceState[]> {
  const { rows } = await sql<SourceState>`
    select ${columns} from ransomware_source order by id limit 1000`.execute(db);
  return rows;
}

export const writeSourceState = (tx: Db, state: SourceState): Promise<unknown> =>
  sql`
    insert into ransomware_source (id, data_at, loaded_at, records, refused, files, problem)
    values (${state.id}, ${timestampOf(state.dataAtMs)}, ${timestampOf(state.loadedAtMs)}, ${state.records},
            ${JSON.stringify(state.refused)}::jsonb, ${JSON.stringify(state.files)}::jsonb, ${state.problem})
    on conflict (id) do update
      set data_at = excluded.data_at, loaded_at = excluded.loaded_at, records = excluded.records,
          refused = excluded.refused, files = excluded.files, problem = excluded.problem`.execute(tx);

/** A source without content gets a row without files, so that its problem is seen. */
export const writeProblem = (tx: Db, id: string, problem: string | null): Promise<unknown> =>
  sql`
    insert into ransomware_source (id, data_at, loaded_at, records, problem)
    values (${id}, to_timestamp(0), to_timestamp(0), 0, ${problem})
    on conflict (id) do update set problem = excluded.problem`.execute(tx);

export type LoadKey = { readonly sourceId: string; readonly sha256: string };
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
    insert into ransomware_load (source_id, sha256, rows_done, started_at, is_first)
    values (${load.sourceId}, ${load.sha256}, 0, ${timestampOf(load.startedAtMs)}, ${load.isFirst})
    on conflict (source_id, sha256) do update set rows_done = ransomware_load.rows_done
    returning rows_done as "rowsDone", is_first as "isFirst", claims, events`.execute(tx);
  return rows[0] ?? { rowsDone: 0, isFirst: load.isFirst, claims: 0, events: 0 };
}

export const saveLoad = (tx: Db, { sourceId, sha256 }: LoadKey, state: LoadState): Promise<unknown> =>
  sql`
    update ransomware_load set rows_done = ${state.rowsDone}, claims = ${state.claims}, events = ${state.events}
     where source_id = ${sourceId} and sha256 = ${sha256}`.execute(tx);

/** Also ends older loads of the source that never finished: their file has been replaced. */
export const endLoad = (tx: Db, { sourceId }: LoadKey): Promise<unknown> =>
  sql`delete from ransomware_load where source_id = ${sourceId}`.execute(tx);

export type UnfinishedLoad = { readonly sourceId: string; readonly rowsDone: number };

export async function listUnfinishedLoads(db: Db): Promise<readonly UnfinishedLoad[]> {
  const { rows } = await sql<UnfinishedLoad>`
    select source_id as "sourceId", rows_done as "rowsDone" from ransomware_load order by source_id limit 1000`.execute(
    db,
  );
  return rows;
}
