import type { PoolClient } from 'pg';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { FetchedPart, RunPhase, RunStatus } from '../contract.ts';

/** SQL of runs and of the state from which the next run starts. Times are milliseconds of the deployment's clock. */

const REASON_CHARS_MAX = 1_000;
const sentence = (text: string | null): string | null => text?.slice(0, REASON_CHARS_MAX) ?? null;

export type FeedState = {
  readonly parts: readonly FetchedPart[];
  readonly contentSha256: string | null;
  readonly heldSha256: string | null;
  readonly checkedAtMs: number | null;
  readonly nextRunAtMs: number | null;
  readonly failures: number;
  readonly problem: string | null;
};

export const ensureState = (db: Db, sourceNumber: number): Promise<unknown> =>
  sql`insert into feed_state (source_number) values (${sourceNumber}) on conflict do nothing`.execute(db);

export async function readState(db: Db, sourceNumber: number): Promise<FeedState> {
  const { rows } = await sql<FeedState>`
    select parts, content_sha256 as "contentSha256", held_sha256 as "heldSha256",
           ${msOf('checked_at')} as "checkedAtMs",
           ${msOf('next_run_at')} as "nextRunAtMs", failures, problem
      from feed_state where source_number = ${sourceNumber}`.execute(db);
  if (rows[0] === undefined) throw new Error(`Source number ${sourceNumber} has no feed state.`);
  return rows[0];
}

/** The connection holds the lock, so a process that dies releases it. The first number is an arbitrary constant. */
export async function tryLockDataset(client: PoolClient, sourceId: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock(4021007, hashtext($1)) as held',
    [sourceId],
  );
  return rows[0]?.held ?? false;
}

export const unlockAll = (client: PoolClient): Promise<unknown> =>
  client.query('select pg_advisory_unlock_all()');

/** A sweeper ends the connections that carry a dead worker's name (foundation rule 12). */
export const nameConnection = (client: PoolClient, name: string): Promise<unknown> =>
  client.query("select set_config('application_name', $1, false)", [name]);

export const insertRun = (
  db: Db,
  run: { readonly id: string; readonly sourceNumber: number; readonly startedAtMs: number },
): Promise<unknown> =>
  sql`insert into feed_run (id, source_number, started_at, status)
      values (${run.id}, ${run.sourceNumber}, ${timestampOf(run.startedAtMs)}, 'running')`.execute(db);

/** The caller holds the source's lock, so an open run of it ended with its process. */
export const closeInterrupted = (db: Db, sourceNumber: number, nowMs: number): Promise<unknown> =>
  sql`update feed_run set status = 'failed', reason = 'The run was interrupted: its process ended.',
             finished_at = greatest(started_at, ${timestampOf(nowMs)})
       where source_number = ${sourceNumber} and status = 'running'`.execute(db);

export type FinishedRun = {
  readonly id: string;
  readonly finishedAtMs: number;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly phases: readonly RunPhase[];
  readonly bytes?: number | null;
  readonly contentSha256?: string | null;
  readonly dataAtMs?: number | null;
  readonly mergedAtMs?: number | null;
  readonly entries?: number | null;
  readonly counts?: SnapshotCounts | null;
  readonly delta?: { readonly added: number; readonly removed: number; readonly changed: number };
  readonly rebaseMs?: number;
};

/** False when the run was already closed. */
export async function finishRun(db: Db, run: FinishedRun): Promise<boolean> {
  const { counts, delta } = run;
  const { numAffectedRows } = await sql`
    update feed_run set status = ${run.status}, finished_at = greatest(started_at, ${timestampOf(run.finishedAtMs)}),
           reason = ${sentence(run.reason)}, phases = ${JSON.stringify(run.phases)}::jsonb,
           bytes = ${run.bytes ?? null}::bigint, content_sha256 = ${run.contentSha256 ?? null},
           data_at = ${timestampOf(run.dataAtMs ?? null)}, merged_at = ${timestampOf(run.mergedAtMs ?? null)},
           entries = ${run.entries ?? null}::int, lines = ${counts?.lines ?? null}::bigint,
           accepted = ${counts?.accepted ?? null}::bigint, rejected = ${counts?.rejected ?? null}::bigint,
           unsupported = ${counts?.unsupported ?? null}::bigint,
           reasons = ${JSON.stringify(counts?.reasons ?? [])}::jsonb,
           added = ${delta?.added ?? null}::int, removed = ${delta?.removed ?? null}::int,
           changed = ${delta?.changed ?? null}::int, rebase_ms = ${run.rebaseMs ?? 0}::bigint
     where id = ${run.id} and status = 'running'`.execute(db);
  return Number(numAffectedRows ?? 0) === 1;
}

/**
 * Records that new content is listed now; the problem ends, and so does a rollback's hold on it. Content without parts did
 * not come from the publisher.
 */
export const saveGood = (
  tx: Db,
  given: {
    readonly sourceNumber: number;
    readonly parts: readonly FetchedPart[];
    readonly contentSha256: string | null;
    readonly checkedAtMs: number | null;
    readonly nextRunAtMs: number | null;
    readonly rebaseMs: number;
  },
): Promise<unknown> =>
  sql`update feed_state set parts = ${JSON.stringify(given.parts)}::jsonb, content_sha256 = ${given.contentSha256},
             held_sha256 = case when held_sha256 = ${given.contentSha256} then null else held_sha256 end,
             checked_at = ${timestampOf(given.checkedAtMs)}, next_run_at = ${timestampOf(given.nextRunAtMs)},
             fetched_at = ${given.parts.length === 0 ? sql`fetched_at` : timestampOf(given.checkedAtMs)},
             failures = 0, problem = null, problem_since = null, rebase_ms = ${given.rebaseMs}::bigint
       where source_number = ${given.sourceNumber}`.execute(tx);

/** Records that the publisher still has the listed content (`problem` null) or content that was rolled back. */
export const saveUnchanged = (
  tx: Db,
  given: {
    readonly sourceNumber: number;
    readonly parts: readonly FetchedPart[];
    readonly checkedAtMs: number;
    readonly nextRunAtMs: number;
    readonly problem: string | null;
  },
): Promise<unknown> =>
  sql`update feed_state set parts = ${JSON.stringify(given.parts)}::jsonb, checked_at = ${timestampOf(given.checkedAtMs)},
             fetched_at = ${timestampOf(given.checkedAtMs)},
             next_run_at = ${timestampOf(given.nextRunAtMs)}, failures = 0, problem = ${sentence(given.problem)},
             problem_since = case when ${given.problem}::text is null then null
                                  else coalesce(problem_since, ${timestampOf(given.checkedAtMs)}) end
       where source_number = ${given.sourceNumber}`.execute(tx);

/** Records a failed run. `parts` stay those of the good content, so that the next conditional request is about it. */
export const saveProblem = (
  tx: Db,
  given: {
    readonly sourceNumber: number;
    readonly problem: string;
    readonly failures: number;
    readonly checkedAtMs: number;
    readonly nextRunAtMs: number;
  },
): Promise<unknown> =>
  sql`update feed_state set checked_at = ${timestampOf(given.checkedAtMs)}, next_run_at = ${timestampOf(given.nextRunAtMs)},
             failures = ${given.failures}, problem = ${sentence(given.problem)},
             problem_since = coalesce(problem_since, ${timestampOf(given.checkedAtMs)})
       where source_number = ${given.sourceNumber}`.execute(tx);

export const saveNextRun = (tx: Db, sourceNumber: number, nextRunAtMs: number): Promise<unknown> =>
  sql`update feed_state set next_run_at = ${timestampOf(nextRunAtMs)} where source_number = ${sourceNumber}`.execute(
    tx,
  );

export type PastRun = { readonly entries: number; readonly isOverruled: boolean };

/** Good runs, newest first. A reason on a good run means that an operator overruled a gate or rolled back. */
export async function readGoodRuns(db: Db, sourceNumber: number, limit: number): Promise<readonly PastRun[]> {
  const { rows } = await sql<PastRun>`
    select coalesce(entries, accepted)::float8 as entries, reason is not null as "isOverruled"
      from feed_run
     where source_number = ${sourceNumber} and status = 'succeeded' and coalesce(entries, accepted) is not null
     order by started_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Deletes one batch per call, oldest first, so that no transaction holds back vacuum for long. */
export async function deleteOldRuns(tx: Db, beforeMs: number, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from feed_run where id in (
      select id from feed_run where started_at < ${timestampOf(beforeMs)} order by started_at limit ${rowsMax})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
