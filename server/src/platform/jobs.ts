import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CronItem,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Clock } from './clock.ts';
import { holdLease, LEASE_LIMITS, LEASE_TIMING, type Lease, type LeaseTiming } from './jobs/lease.ts';
import { type Job, runJob } from './jobs/run-job.ts';
import type { Log } from './log.ts';
import { asSystem, type Db, type Postgres, type PostgresConfig, sql } from './postgres.ts';

export { LeaseLostError } from './jobs/lease.ts';
export { type Job, type JobContext, job } from './jobs/run-job.ts';

export type EnqueueOptions = {
  /** At most one job waits for each key: a second one replaces its payload and time. A running job is not changed. */
  readonly key?: string;
  /** Jobs of one queue run one at a time, in order. Use few names: one for each source, not one for each indicator. */
  readonly queue?: string;
  readonly runAt?: Date;
  /** Attempts with growing pauses (e^n seconds, at most six hours); 25 when absent. */
  readonly maxAttempts?: number;
};

/** Adds a job inside the caller's transaction, so that it exists only if that commits. */
export async function enqueue(
  tx: Db,
  name: string,
  payload: unknown,
  options: EnqueueOptions = {},
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select enqueue_job(${name}, ${JSON.stringify(payload)}::json, ${options.key ?? null}, ${options.queue ?? null},
                       ${options.runAt ?? null}::timestamptz, ${options.maxAttempts ?? null}::int) as id`.execute(
    tx,
  );
  return rows[0]?.id ?? '';
}

/** A schedule as data. Times are UTC; several workers together add one job for each time. */
export type Cron = {
  readonly job: string;
  /** Minute, hour, day of month, month, day of week. */
  readonly pattern: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  /** A run missed while no worker was running is made up for when it is at most this old. */
  readonly catchUpMs?: number;
  readonly maxAttempts?: number;
  /** As in EnqueueOptions: one job of this key waits, and a new time of the schedule replaces a retry that waits. */
  readonly key?: string;
  readonly queue?: string;
};

export type WorkerOptions = {
  readonly config: PostgresConfig;
  readonly log: Log;
  readonly clock: Clock;
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
  readonly concurrency: number;
  /** Another worker took the lease while this process was stopped; the process should end. */
  readonly onLeaseLost: () => void;
  readonly timing?: LeaseTiming;
  readonly pollMs?: number;
};

export type Worker = {
  /** Takes no new jobs, gives running jobs `graceMs` to end, then hands the rest back. */
  readonly stop: (graceMs?: number) => Promise<void>;
};

/** Queue calls are short; without a limit a stalled PostgreSQL would hold a slot forever. */
const QUEUE_LIMITS = {
  acquireTimeoutMs: 5_000,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 5_000,
  queryTimeoutMs: 12_000,
} as const;
const QUEUE_CONNECTIONS = 4;
const POLL_MS = 1_000;
const RESTART_MS = 1_000;
const STOP_GRACE_MS = 20_000;
const ABORT_AFTER_MS = 5_000;

/**
 * Runs jobs as `assay_system` until it is stopped. The queue library ends when PostgreSQL is unreachable at the
 * moment a job ends, so it is started again under a new lease, and the jobs of the old lease are handed back at once.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { config, log } = options;
  const pools = {
    jobs: asSystem(config),
    queue: asSystem({ ...config, POSTGRES_POOL_MAX: QUEUE_CONNECTIONS }, QUEUE_LIMITS),
    lease: asSystem({ ...config, POSTGRES_POOL_MAX: 1 }, LEASE_LIMITS),
  };
  const stopping = new AbortController();
  let session: Session | null = null;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        session = await startSession(options, pools, stopping.signal);
        await session.over;
        await session.end();
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'worker.restarting');
      }
      await sleep(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async (graceMs = STOP_GRACE_MS) => {
      stopping.abort();
      if (session !== null) await stopRunner(session.runner, graceMs, log);
      await running;
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}

type Pools = { readonly jobs: Postgres; readonly queue: Postgres; readonly lease: Postgres };
type Session = {
  readonly runner: Runner;
  /** Settles when the library has ended, or has lost a part of itself and must be started again. */
  readonly over: Promise<unknown>;
  readonly end: () => Promise<void>;
};

async function startSession(options: WorkerOptions, pools: Pools, stopping: AbortSignal): Promise<Session> {
  const { log, clock, jobs } = options;
  const ended = new AbortController();
  let held: Promise<Lease> | null = null;
  // The library awaits it before a worker asks for its first job, so no job is locked without a lease.
  const leaseOf = (workerId: string): Promise<Lease> => {
    held ??= holdLease(
      {
        postgres: pools.lease,
        workerId,
        log,
        clock,
        timing: options.timing ?? LEASE_TIMING,
        onLost: options.onLeaseLost,
      },
      AbortSignal.any([ended.signal, stopping]),
    );
    return held;
  };
  const events: WorkerEvents = new EventEmitter();
  const broken = brokenPart(events);
  const runner = await run({
    events,
    pgPool: pools.queue.pool,
    noHandleSignals: true,
    logger: queueLogger(log),
    taskList: taskList(options, pools.jobs, () => held),
    parsedCronItems: parseCronItems(options.crons.map(cronItem)),
    preset: {
      plugins: [
        {
          name: 'AssayLease',
          version: '1.0.0',
          worker: {
            hooks: {
              startWorker: async (_context, event) => {
                await leaseOf(event.worker.workerPool.id);
              },
            },
          },
        },
      ],
      worker: {
        concurrentJobs: options.concurrency,
        pollInterval: options.pollMs ?? POLL_MS,
        gracefulShutdownAbortTimeout: ABORT_AFTER_MS,
        // Enables batching: without it, a failure to mark a job would be an unhandled rejection and end the process.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
  log.info({ jobs: jobs.map((each) => each.name), concurrency: options.concurrency }, 'worker.started');
  const end = async () => {
    ended.abort();
    const lease = await held?.catch(() => null);
    await lease?.release();
  };
  return {
    runner,
    over: Promise.race([runner.promise.catch(() => undefined), broken.then(() => giveUp(runner))]),
    end,
  };
}

/**
 * A connection that breaks while the library asks for a job ends one of its workers and leaves the others; one that
 * breaks while it marks a job starts a shutdown that was seen to hang. Neither settles the runner's promise.
 */
const brokenPart = (events: WorkerEvents): Promise<unknown> =>
  new Promise((resolve) => {
    events.on('pool:fatalError', resolve);
    events.on('worker:fatalError', resolve);
    events.on('worker:stop', ({ error }) => error !== undefined && error !== null && resolve(error));
  });

/** Waits for running jobs, as a stop does. What they still write is refused by the fence once the lease is released. */
async function giveUp(runner: Runner): Promise<void> {
  const late = sleep(ABORT_AFTER_MS);
  await Promise.race([runner.stop('restart').catch(() => undefined), late]);
  await Promise.race([runner.kill('restart').catch(() => undefined), sleep(ABORT_AFTER_MS)]);
}

function taskList(
  { jobs, log, clock }: WorkerOptions,
  postgres: Postgres,
  held: () => Promise<Lease> | null,
): TaskList {
  const tasks: TaskList = {};
  for (const spec of jobs) {
    if (tasks[spec.name] !== undefined) throw new Error(`Two jobs are named '${spec.name}'.`);
    tasks[spec.name] = async (payload, helpers) => {
      const lease = await held();
      if (lease === null) throw new Error('A job started without a lease.');
      await runJob({ postgres, lease, log, clock }, spec, helpers, payload);
    };
  }
  return tasks;
}

function cronItem(cron: Cron): CronItem {
  return {
    task: cron.job,
    match: cron.pattern,
    identifier: cron.name === undefined ? cron.job : `${cron.job}:${cron.name}`,
    payload: { ...cron.payload },
    options: {
      backfillPeriod: cron.catchUpMs ?? 0,
      ...(cron.maxAttempts === undefined ? {} : { maxAttempts: cron.maxAttempts }),
      ...(cron.key === undefined ? {} : { jobKey: cron.key }),
      ...(cron.queue === undefined ? {} : { queueName: cron.queue }),
    },
  };
}

/** `kill` marks jobs that did not end as failed, so another worker retries them after the usual pause. */
async function stopRunner(runner: Runner, graceMs: number, log: Log): Promise<void> {
  const graceful = runner.stop('shutdown').catch(() => undefined);
  const tooLate = new AbortController();
  const grace = sleep(graceMs, 'late', { signal: tooLate.signal }).catch(() => undefined);
  const outcome = await Promise.race([graceful, grace]);
  tooLate.abort();
  if (outcome !== 'late') return;
  log.warn({ graceMs }, 'worker.stop.forced');
  await runner.kill('shutdown').catch(() => undefined);
}

function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    // A failed job has its own log line; the library would repeat it with the stack inside the text.
    if (level === 'error' && meta?.failure !== true) log.error({ queue: message }, 'worker.queue');
    else if (level === 'warning') log.warn({ queue: message }, 'worker.queue');
    else log.debug({ queue: message }, 'worker.queue');
  });
}
