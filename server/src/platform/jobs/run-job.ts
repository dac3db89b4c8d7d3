import type { JobHelpers } from 'graphile-worker';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { counter } from '../metrics.ts';
import type { Db, Postgres } from '../postgres.ts';
import type { Lease } from './lease.ts';

export type JobContext = {
  readonly jobId: string;
  readonly attempt: number;
  readonly attemptsMax: number;
  /** The scheduled time; null for a job that was enqueued. */
  readonly scheduledAt: string | null;
  /** The fencing number of this worker, for writes outside PostgreSQL. */
  readonly epoch: string;
  /** Connections with this application_name are closed when this worker is declared dead. */
  readonly workerId: string;
  /** Aborts at the job's timeout, at shutdown, and when the worker's lease is lost. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The only way for a job to write: it commits only while this worker holds its lease (foundation rule 12). */
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  /**
   * For a transaction that the job cannot open itself (a COPY): call it before the commit; may throw LeaseLostError.
   */
  readonly fence: (tx: Db) => Promise<void>;
};

export type Job = {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly timeoutMs: number;
  readonly run: (context: JobContext, payload: never) => Promise<void>;
};

type JobSpec<S extends z.ZodType> = {
  readonly name: string;
  readonly schema: S;
  readonly timeoutMs: number;
  readonly run: (context: JobContext, payload: z.output<S>) => Promise<void>;
};

/** Returns its argument; ties the payload of `run` to its schema at compile time. */
export const job = <S extends z.ZodType>(spec: JobSpec<S>): Job => spec;

export type JobRunner = {
  readonly postgres: Postgres;
  readonly lease: Lease;
  readonly log: Log;
  readonly clock: Clock;
};

const runs = counter({
  name: 'job_runs_total',
  help: 'Job runs by outcome.',
  labels: ['job', 'outcome'],
});

/** Runs one attempt. A run that ended (timeout, stop, lost lease) can neither start nor commit anything more. */
export async function runJob(
  runner: JobRunner,
  spec: Job,
  helpers: JobHelpers,
  rawPayload: unknown,
): Promise<void> {
  const { lease, clock } = runner;
  const log = runner.log.child({ job: spec.name, jobId: helpers.job.id, attempt: helpers.job.attempts });
  const startedAt = clock.monotonic();
  const overdue = AbortSignal.timeout(spec.timeoutMs);
  const signal = AbortSignal.any([overdue, lease.lost, helpers.abortSignal]);
  const { payload, scheduledAt } = splitCron(rawPayload);
  const open = new Set<Promise<unknown>>();
  const context: JobContext = {
    jobId: helpers.job.id,
    attempt: helpers.job.attempts,
    attemptsMax: helpers.job.max_attempts,
    scheduledAt,
    epoch: lease.epoch,
    workerId: lease.workerId,
    signal,
    log,
    transaction: (work) => {
      const leftMs = spec.timeoutMs - (clock.monotonic() - startedAt);
      return track(open, fenced(runner, signal, leftMs, work));
    },
    fence: (tx) => {
      signal.throwIfAborted();
      return lease.fence(tx, spec.timeoutMs - (clock.monotonic() - startedAt));
    },
  };
  try {
    await orAborted(spec.run(context, spec.schema.parse(payload) as never), signal);
    await context.transaction(async () => undefined);
    runs.inc({ job: spec.name, outcome: 'done' });
    log.info({ durationMs: Math.round(clock.monotonic() - startedAt) }, 'job.finished');
  } catch (error) {
    // An open transaction could commit during the next attempt, so it is awaited; the job's timeout bounds it.
    await Promise.allSettled(open);
    runs.inc({ job: spec.name, outcome: overdue.aborted ? 'timeout' : 'failed' });
    log.warn({ durationMs: Math.round(clock.monotonic() - startedAt), err: error }, 'job.failed');
    throw error;
  }
}

function fenced<T>(
  { postgres, lease }: JobRunner,
  signal: AbortSignal,
  leftMs: number,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return postgres.transaction(async (tx) => {
    signal.throwIfAborted();
    await lease.fence(tx, leftMs);
    const result = await work(tx);
    signal.throwIfAborted();
    return result;
  });
}

async function track<T>(open: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  open.add(promise);
  try {
    return await promise;
  } finally {
    open.delete(promise);
  }
}

async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}

/** The schedule adds `_cron` to a payload; job schemas do not include it. */
function splitCron(raw: unknown): { payload: unknown; scheduledAt: string | null } {
  if (typeof raw !== 'object' || raw === null || !('_cron' in raw))
    return { payload: raw, scheduledAt: null };
  const { _cron, ...payload } = raw as { _cron: { ts?: unknown } };
  return { payload, scheduledAt: typeof _cron.ts === 'string' ? _cron.ts : null };
}
