import { setTimeout as sleep } from 'node:timers/promises';
import { type CronItem, Logger, parseCronItems, type Runner, run, type TaskList } from 'graphile-worker';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { holdLease, LEASE_LIMITS, LEASE_TIMING, type Lease, type LeaseTiming } from './jobs/lease.ts';
import { type Job, runJob } from './jobs/run-job.ts';
import type { Log } from './log.ts';
import { asSystem, type Db, type Postgres, sql } from './postgres.ts';

export { LeaseLostError } from './jobs/lease.ts';
export { type Job, type JobContext, job } from './jobs/run-job.ts';

export type EnqueueOptions = {
  /** At most one waiting job per key: a second one replaces its payload and time. A running one is not touched. */
  readonly key?: string;
  /** Jobs of one queue run one at a time, in order. Few names (one per source, not one per indicator). */
  readonly queue?: string;
  readonly runAt?: Date;
  /** Attempts with growing pauses (e^n seconds, at most six hours); 25 when absent. */
  readonly maxAttempts?: number;
};

/** Adds a job inside the caller's transaction: it exists when that commits, and never otherwise. */
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

/** A schedule, as data. Times are UTC; several workers add one job per time between them. */
export type Cron = {
  readonly job: string;
  /** Minute, hour, day of month, month, day of week. */
  readonly pattern: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Tells two schedules of one job apart. */
  readonly name?: string;
  /** A time missed while no worker ran is made up for when it is at most this long ago. */
  readonly catchUpMs?: number;
  readonly maxAttempts?: number;
};

export type WorkerOptions = {
  readonly config: Pick<Config, 'DATABASE_URL' | 'POSTGRES_POOL_MAX'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
  readonly concurrency: number;
  /** The lease was taken by somebody else while this process was stopped: it should end now. */
  readonly onLeaseLost: () => void;
  readonly timing?: LeaseTiming;
  readonly pollMs?: number;
};

export type Worker = {
  /** Takes no new jobs, gives running ones `graceMs` to end, then hands back what is left. */
  readonly stop: (graceMs?: number) => Promise<void>;
};

/** Queue calls are short; without a bound a stalled PostgreSQL would hold a slot for good. */
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
/** A job told to stop gets this long before its signal aborts. */
const ABORT_AFTER_MS = 5_000;

/**
 * Runs jobs as `assay_system` until it is stopped. The queue library gives up when PostgreSQL is away at the moment a
 * job ends, so it is started again under a new lease; the old one's jobs are handed back at once.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { config, log } = options;
  const pools = {
    jobs: tolerant(asSystem(config)),
    queue: tolerant(asSystem({ ...config, POSTGRES_POOL_MAX: QUEUE_CONNECTIONS }, QUEUE_LIMITS)),
    lease: tolerant(asSystem({ ...config, POSTGRES_POOL_MAX: 1 }, LEASE_LIMITS)),
  };
  const stopping = new AbortController();
  let session: Session | null = null;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        session = await startSession(options, pools, stopping.signal);
        await session.runner.promise.catch(() => undefined);
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
type Session = { readonly runner: Runner; readonly end: () => Promise<void> };

async function startSession(options: WorkerOptions, pools: Pools, stopping: AbortSignal): Promise<Session> {
  const { log, clock, jobs } = options;
  const ended = new AbortController();
  let held: Promise<Lease> | null = null;
  // Awaited by the library before a worker asks for its first job: nothing is ever locked without a lease.
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
  const runner = await run({
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
        // Unbatched, a failure to mark a job would be an unhandled rejection and end the process.
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
  return { runner, end };
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
    },
  };
}

/** `kill` marks what would not end as failed, so another worker tries it again after the usual pause. */
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

/** A connection that breaks while in use reports through its query; without a listener it would end the process. */
function tolerant(postgres: Postgres): Postgres {
  postgres.pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return postgres;
}

function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    // A failed job already has its own line; the library's repeats it with the stack inside the text.
    if (level === 'error' && meta?.failure !== true) log.error({ queue: message }, 'worker.queue');
    else if (level === 'warning') log.warn({ queue: message }, 'worker.queue');
    else log.debug({ queue: message }, 'worker.queue');
  });
}
