import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

export type CountRow = {
  readonly accountId: string;
  readonly callerId: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly route: string;
  readonly statusClass: number;
  /** Empty: `counted` counts requests; a level: verdicts of this level. */
  readonly verdict: string;
  readonly counted: number;
};

/** A batch, numbered by the process that wrote it. Its rows never change, so it can safely be sent again. */
export type CountBatch = { readonly number: number; readonly rows: readonly CountRow[] };

/** Adds a batch and notes its number in one statement, unless this writer's batch of that number was added before. */
export async function addCounts(db: Db, writerId: string, { number, rows }: CountBatch): Promise<void> {
  await sql`
    with fresh as (
      insert into request_count_writer as writer (id, batch) values (${writerId}, ${number})
      on conflict (id) do update set batch = excluded.batch, written_at = now() where writer.batch < excluded.batch
      returning id
    )
    insert into request_count as known (account_id, day, caller_id, route, status_class, verdict, counted)
    select account_id, day, caller_id, route, status_class, verdict, counted
      from unnest(${rows.map((row) => row.accountId)}::text[], ${rows.map((row) => row.day)}::date[],
                  ${rows.map((row) => row.callerId)}::text[], ${rows.map((row) => row.route)}::text[],
                  ${rows.map((row) => row.statusClass)}::smallint[], ${rows.map((row) => row.verdict)}::text[],
                  ${rows.map((row) => row.counted)}::bigint[])
           as seen (account_id, day, caller_id, route, status_class, verdict, counted)
     where exists (select 1 from fresh)
     -- One order for all writers prevents deadlocks between batches.
     order by account_id, day, caller_id, route, status_class, verdict
    on conflict (account_id, day, caller_id, route, status_class, verdict)
      do update set counted = known.counted + excluded.counted`.execute(db);
}

export type Span = { readonly from: string; readonly to: string };

/** Requests of an account in a span; every query uses this part, under row-level security and along the primary key. */
const requestsIn = (accountId: string, { from, to }: Span) => sql`
  from request_count
 where account_id = ${accountId} and day between ${from}::date and ${to}::date and verdict = ''`;

export type Counted<Name extends string> = Readonly<Record<Name, string>> & { readonly count: number };

export async function countDays(tx: Db, accountId: string, span: Span): Promise<readonly Counted<'day'>[]> {
  const { rows } = await sql<Counted<'day'>>`
    select to_char(day, 'YYYY-MM-DD') as day, sum(counted)::float8 as count ${requestsIn(accountId, span)}
     group by 1 order by 1 limit 400`.execute(tx);
  return rows;
}

export async function countEndpoints(
  tx: Db,
  accountId: string,
  span: Span,
  limit: number,
): Promise<readonly Counted<'endpoint'>[]> {
  const { rows } = await sql<Counted<'endpoint'>>`
    select route as endpoint, sum(counted)::float8 as count ${requestsIn(accountId, span)}
     group by route order by 2 desc, 1 limit ${limit}`.execute(tx);
  return rows;
}

export async function countStatuses(
  tx: Db,
  accountId: string,
  span: Span,
): Promise<readonly Counted<'status'>[]> {
  const { rows } = await sql<Counted<'status'>>`
    select status_class || 'xx' as status, sum(counted)::float8 as count ${requestsIn(accountId, span)}
     group by 1 order by 1 limit 5`.execute(tx);
  return rows;
}

export async function countVerdicts(
  tx: Db,
  accountId: string,
  { from, to }: Span,
): Promise<readonly Counted<'verdict'>[]> {
  const { rows } = await sql<Counted<'verdict'>>`
    select verdict, sum(counted)::float8 as count from request_count
     where account_id = ${accountId} and day between ${from}::date and ${to}::date and verdict <> ''
     group by 1 limit 10`.execute(tx);
  return rows;
}

/** Deletes at most `rowsMax` rows, because a long transaction delays vacuum for all tables. */
export async function forgetCounts(tx: Db, beforeDay: string, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from request_count where ctid = any(array(
      select ctid from request_count where day < ${beforeDay}::date limit ${rowsMax}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function forgetWriters(tx: Db, beforeMs: number): Promise<void> {
  await sql`delete from request_count_writer where written_at < ${timestampOf(beforeMs)}`.execute(tx);
}
