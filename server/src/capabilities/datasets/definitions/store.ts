import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { DatasetCursor, RunStatus } from '../contract.ts';

/** SQL of data sets. Each function is one statement. */

export type DatasetRow = {
  readonly number: number;
  readonly id: string;
  readonly entries: number;
  readonly dataAtMs: number | null;
  readonly cursor: DatasetCursor;
};

export async function findDataset(db: Db, id: string): Promise<DatasetRow | undefined> {
  const { rows } = await sql<DatasetRow>`
    select number, id, entries, ${msOf('data_at')} as "dataAtMs", cursor from dataset where id = ${id}`.execute(
    db,
  );
  return rows[0];
}

/** Numbers go down from -1. Two processes that register at once are kept apart by the key; the second finds the row. */
export const insertDataset = (
  db: Db,
  given: {
    readonly id: string;
    readonly capability: string;
    readonly name: string;
    readonly scheduled: boolean;
  },
): Promise<unknown> =>
  sql`insert into dataset (number, id, capability, name, scheduled)
      select coalesce(min(number), 0) - 1, ${given.id}, ${given.capability}, ${given.name}, ${given.scheduled} from dataset
      on conflict do nothing`.execute(db);

export const saveLoaded = (
  tx: Db,
  given: {
    readonly number: number;
    readonly entries: number;
    readonly dataAtMs: number;
    readonly cursor: DatasetCursor | undefined;
  },
): Promise<unknown> =>
  sql`update dataset set entries = ${given.entries}, data_at = ${timestampOf(given.dataAtMs)},
             cursor = case when ${given.cursor === undefined} then cursor
                           else ${JSON.stringify(given.cursor ?? null)}::jsonb end
       where number = ${given.number}`.execute(tx);

export const planFirstRun = (db: Db, number: number, firstRunAtMs: number): Promise<unknown> =>
  sql`insert into feed_state (source_number, next_run_at) values (${number}, ${timestampOf(firstRunAtMs)})
      on conflict (source_number) do update set
        next_run_at = coalesce(feed_state.next_run_at, excluded.next_run_at)`.execute(db);

/** Claims the longest due data sets among `ids` until `atOnceMax` data sets are running; sources do not count. */
export async function claimDueDatasets(
  tx: Db,
  given: {
    readonly ids: readonly string[];
    readonly nowMs: number;
    readonly claimedUntilMs: number;
    readonly atOnceMax: number;
  },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select f.source_number, s.id
        from feed_state f join dataset s on s.number = f.source_number
       where s.scheduled and s.id = any(${given.ids})
         and f.next_run_at <= ${timestampOf(given.nowMs)}
         and (f.claimed_until is null or f.claimed_until <= ${timestampOf(given.nowMs)})
       order by f.next_run_at, s.id
       limit greatest(0, ${given.atOnceMax}::int
         - (select count(*)::int from feed_state where source_number < 0 and claimed_until > ${timestampOf(given.nowMs)}))
    )
    update feed_state f set claimed_until = ${timestampOf(given.claimedUntilMs)}
      from due where f.source_number = due.source_number
    returning due.id`.execute(tx);
  return rows.map(({ id }) => id);
}

export const releaseDatasetClaim = (tx: Db, id: string): Promise<unknown> =>
  sql`update feed_state f set claimed_until = null
        from dataset s where s.number = f.source_number and s.id = ${id} and claimed_until is not null`.execute(
    tx,
  );

export type DatasetStatusRow = DatasetRow & {
  readonly scheduled: boolean;
  readonly nextRunAtMs: number | null;
  readonly checkedAtMs: number | null;
  readonly contentSha256: string | null;
  readonly problem: string | null;
  /** A download waits in quarantine, and an operator may release it (true) or not (false); null: none waits. */
  readonly isReleasable: boolean | null;
  readonly rebaseMs: number;
  readonly failures: number;
  readonly lastRunStatus: RunStatus | 'running' | null;
  readonly lastRunAtMs: number | null;
};

/** Every registered data set with the state of its runs; some 30 rows. */
export async function listDatasets(db: Db): Promise<readonly DatasetStatusRow[]> {
  const { rows } = await sql<DatasetStatusRow>`
    select d.number, d.id, d.entries, ${msOf('d.data_at')} as "dataAtMs", d.cursor, d.scheduled,
           ${msOf('f.next_run_at')} as "nextRunAtMs", ${msOf('f.checked_at')} as "checkedAtMs",
           f.content_sha256 as "contentSha256", coalesce(f.problem, q.reason) as problem,
           case when q.source_number is not null then q.artifact is not null end as "isReleasable",
           coalesce(f.rebase_ms, 0)::float8 as "rebaseMs", coalesce(f.failures, 0) as failures,
           r.status as "lastRunStatus", ${msOf('r.started_at')} as "lastRunAtMs"
      from dataset d left join feed_state f on f.source_number = d.number
      left join feed_quarantine q on q.source_number = d.number
      left join lateral (
        select status, started_at from feed_run
         where source_number = d.number order by started_at desc, id desc limit 1) r on true
     order by d.number desc limit 1000`.execute(db);
  return rows;
}
