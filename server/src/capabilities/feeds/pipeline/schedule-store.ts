import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** Without the lock, two workers that pick at the same time could exceed the limit. */
export const lockSchedule = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(4021008)`.execute(tx);

/** Claims the longest due sources among `ids` until `atOnceMax` runs are under way; runs of data sets count too. */
export async function claimDue(
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
        from feed_state f join source s on s.number = f.source_number
       where s.scheduled and s.enabled and s.id = any(${given.ids})
         and f.next_run_at <= ${timestampOf(given.nowMs)}
         and (f.claimed_until is null or f.claimed_until <= ${timestampOf(given.nowMs)})
       order by f.next_run_at, s.id
       limit greatest(0, ${given.atOnceMax}::int
         - (select count(*)::int from feed_state where claimed_until > ${timestampOf(given.nowMs)}))
    )
    update feed_state f set claimed_until = ${timestampOf(given.claimedUntilMs)}
      from due where f.source_number = due.source_number
    returning due.id`.execute(tx);
  return rows.map((row) => row.id);
}

export const releaseClaim = (tx: Db, sourceId: string): Promise<unknown> =>
  sql`update feed_state f set claimed_until = null
        from source s where s.number = f.source_number and s.id = ${sourceId} and claimed_until is not null`.execute(
    tx,
  );

export type AppliedRow = {
  readonly id: string;
  readonly number: number;
  readonly catalogue: Readonly<Record<string, unknown>> | null;
  readonly isScheduled: boolean;
  readonly hasState: boolean;
  readonly hasNextRun: boolean;
};

export async function readApplied(db: Db): Promise<ReadonlyMap<string, AppliedRow>> {
  const { rows } = await sql<AppliedRow>`
    select s.id, s.number, f.catalogue, s.scheduled as "isScheduled", f.source_number is not null as "hasState",
           f.next_run_at is not null as "hasNextRun"
      from source s left join feed_state f on f.source_number = s.number`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export const saveApplied = (
  tx: Db,
  given: {
    readonly sourceNumber: number;
    readonly catalogue: Readonly<Record<string, unknown>>;
    readonly firstRunAtMs: number;
  },
): Promise<unknown> =>
  sql`insert into feed_state (source_number, catalogue, next_run_at)
      values (${given.sourceNumber}, ${JSON.stringify(given.catalogue)}::jsonb, ${timestampOf(given.firstRunAtMs)})
      on conflict (source_number) do update set catalogue = excluded.catalogue,
             next_run_at = coalesce(feed_state.next_run_at, excluded.next_run_at)`.execute(tx);

export type SourceFigures = {
  readonly id: string;
  readonly entries: number;
  readonly dataAtS: number | null;
  readonly lastSuccessS: number | null;
  readonly rejected: number | null;
  readonly failures: number;
};

/** One row per source; the last good run is found through the index on (source_number, started_at). */
export async function readFigures(db: Db): Promise<readonly SourceFigures[]> {
  const { rows } = await sql<SourceFigures>`
    select s.id, s.entries, date_part('epoch', s.data_at) as "dataAtS",
           date_part('epoch', r.finished_at) as "lastSuccessS", r.rejected::float8 as rejected, f.failures
      from source s join feed_state f on f.source_number = s.number
      left join lateral (
        select finished_at, coalesce(rejected, 0) as rejected from feed_run
         where source_number = s.number and status in ('succeeded', 'unchanged')
         order by started_at desc limit 1) r on true
     where s.scheduled order by s.id limit 32767`.execute(db);
  return rows;
}
