import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { Submission, SubmissionStatus, SubmittedSource } from './contract.ts';

/** Each function is one statement. The first two run under row-level security, the others as the system role. */

export async function countPending(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from source_submission
     where account_id = ${accountId} and status = 'pending'`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Inserts proposals; an address that any account has already proposed is left as it is. */
export async function insertSubmissions(
  tx: Db,
  accountId: string,
  given: readonly (SubmittedSource & { readonly id: string })[],
  nowMs: number,
): Promise<void> {
  await sql`
    insert into source_submission (id, account_id, name, type, url, category, submitted_at)
    select id, ${accountId}, name, type, url, category, ${timestampOf(nowMs)}
      from unnest(${given.map(({ id }) => id)}::text[], ${given.map(({ name }) => name)}::text[],
                  ${given.map(({ type }) => type)}::text[], ${given.map(({ url }) => url)}::text[],
                  ${given.map(({ category }) => category ?? null)}::text[]) as proposed (id, name, type, url, category)
     -- One order for all writers, so that two batches cannot deadlock.
     order by url
    on conflict do nothing`.execute(tx);
}

const COLUMNS = sql`
  id, account_id as "accountId", name, type, url, category, status, submitted_at as "submittedAt",
  decided_at as "decidedAt", note`;

/** Oldest first, the order in which operators read them. */
export async function selectSubmissions(
  db: Db,
  status: SubmissionStatus | null,
  limit: number,
): Promise<readonly Submission[]> {
  const { rows } = await sql<Submission>`
    select ${COLUMNS} from source_submission
     where ${status}::text is null or status = ${status}
     order by submitted_at, url
     limit ${limit}`.execute(db);
  return rows;
}

export async function lockSubmission(tx: Db, id: string): Promise<Submission | undefined> {
  const { rows } = await sql<Submission>`
    select ${COLUMNS} from source_submission where id = ${id} for update`.execute(tx);
  return rows[0];
}

export async function markDecided(
  tx: Db,
  id: string,
  status: SubmissionStatus,
  note: string | null,
  nowMs: number,
): Promise<void> {
  await sql`
    update source_submission
       set status = ${status}, note = ${note}, decided_at = ${timestampOf(nowMs)}
     where id = ${id}`.execute(tx);
}

/** A source without a planned run is due now; the schedule finds it at its next check. */
export async function planFirstRun(db: Db, sourceNumber: number, nowMs: number): Promise<void> {
  await sql`
    insert into feed_state (source_number, next_run_at)
    values (${sourceNumber}, ${timestampOf(nowMs)})
    on conflict (source_number) do update
      set next_run_at = coalesce(feed_state.next_run_at, excluded.next_run_at)`.execute(db);
}

/** Sources that the worker fetches although they are not in the catalogue: approved proposals. */
export async function listScheduledIds(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from source where scheduled and enabled and url is not null order by id limit 32767`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
