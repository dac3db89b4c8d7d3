import { type Db, sql } from '../postgres.ts';
import { msOf } from '../sql-time.ts';

/** `failed`: all attempts are used up, so nothing runs it again by itself. `planned`: its time has not come. */
export const JOB_STATES = ['running', 'failed', 'waiting', 'planned'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job of the queue without its payload. */
export type QueuedJob = {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly queue: string | null;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly lastError: string | null;
  readonly createdAtMs: number;
  readonly runAtMs: number;
  readonly lockedAtMs: number | null;
};

const STATE = sql`case when j.locked_at is not null then 'running' when j.attempts >= j.max_attempts then 'failed'
  when j.run_at > now() then 'planned' else 'waiting' end`;
const ERROR_CHARS_MAX = 1_000;

/** The newest jobs first; `before` continues after that id. For the system role. */
export async function listJobs(
  db: Db,
  {
    state,
    before,
    limit,
  }: { readonly state: JobState | null; readonly before: string | null; readonly limit: number },
): Promise<readonly QueuedJob[]> {
  const { rows } = await sql<QueuedJob>`
    select j.id::text, j.task_identifier as name, ${STATE} as state, j.queue_name as queue, j.attempts,
           j.max_attempts as "attemptsMax", left(j.last_error, ${ERROR_CHARS_MAX}) as "lastError",
           ${msOf('j.created_at')} as "createdAtMs", ${msOf('j.run_at')} as "runAtMs",
           ${msOf('j.locked_at')} as "lockedAtMs"
      from graphile_worker.jobs j
     where (${state}::text is null or ${STATE} = ${state})
       and (${before}::bigint is null or j.id < ${before}::bigint)
     order by j.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countJobs(db: Db): Promise<Readonly<Record<JobState, number>>> {
  const { rows } = await sql<{ state: JobState; jobs: number }>`
    select ${STATE} as state, count(*)::int as jobs from graphile_worker.jobs j group by 1`.execute(db);
  const of = (state: JobState): number => rows.find((row) => row.state === state)?.jobs ?? 0;
  return { running: of('running'), failed: of('failed'), waiting: of('waiting'), planned: of('planned') };
}

/** Runs a job now, with all its attempts again. `running`: a worker has it, so nothing was changed. */
export async function retryJob(tx: Db, id: string): Promise<'retried' | 'running' | 'missing'> {
  const { rows } = await sql`
    select 1 from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`.execute(
    tx,
  );
  if (rows.length > 0) return 'retried';
  const found = await sql`select 1 from graphile_worker.jobs where id = ${id}::bigint`.execute(tx);
  return found.rows.length > 0 ? 'running' : 'missing';
}
