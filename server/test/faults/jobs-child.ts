import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createWorker, job } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { type Db, sql } from '#platform/postgres.ts';

/**
 * A worker process for tests to kill and to suspend. Every step writes a row to `probe`, with the process id.
 */
const note = (tx: Db, step: string, jobId: string): Promise<unknown> =>
  sql`insert into probe (step, job_id, pid) values (${step}, ${jobId}, ${process.pid})`.execute(tx);

const Empty = z.object({});
const jobs = [
  job({
    name: 'test.hold',
    schema: z.object({ holdMs: z.number().max(60_000) }),
    timeoutMs: 60_000,
    run: async (context, { holdMs }) => {
      await context.transaction((tx) => note(tx, 'started', context.jobId));
      // Only the first attempt waits, and it ignores every signal, as a suspended process would.
      if (context.attempt === 1) await sleep(holdMs);
      await context.transaction((tx) => note(tx, 'finished', context.jobId));
    },
  }),
  job({
    name: 'test.hold-open',
    schema: z.object({ holdMs: z.number().max(60_000) }),
    timeoutMs: 60_000,
    run: async (context, { holdMs }) => {
      await context.transaction((tx) => note(tx, 'started', context.jobId));
      await context.transaction(async (tx) => {
        await note(tx, 'finished', context.jobId);
        if (context.attempt === 1) await sleep(holdMs);
      });
    },
  }),
  job({
    name: 'test.flaky',
    schema: z.object({ failures: z.number().max(5) }),
    timeoutMs: 5_000,
    run: async (context, { failures }) => {
      await context.transaction((tx) => note(tx, `attempt ${context.attempt}`, context.jobId));
      if (context.attempt <= failures) throw new Error('Not yet.');
    },
  }),
  job({
    name: 'test.overdue',
    schema: Empty,
    timeoutMs: 500,
    run: async (context) => {
      await context.transaction(async (tx) => {
        await note(tx, 'overdue', context.jobId);
        await sleep(1_500);
      });
    },
  }),
  job({
    name: 'test.tick',
    schema: Empty.strict(),
    timeoutMs: 5_000,
    run: async (context) => {
      await context.transaction((tx) => note(tx, `tick ${context.scheduledAt}`, context.jobId));
    },
  }),
];

const catchUpMs = Number(process.env.TEST_CATCH_UP_MS ?? 0);
const config = loadConfig(process.env);
const worker = createWorker({
  config,
  log: createLog(config.LOG_LEVEL, { write: (line) => process.stderr.write(line) }),
  clock: systemClock(),
  jobs,
  crons: catchUpMs > 0 ? [{ job: 'test.tick', pattern: '* * * * *', catchUpMs }] : [],
  concurrency: 2,
  onLeaseLost: () => process.exit(75),
  timing: {
    heartbeatMs: Number(process.env.TEST_HEARTBEAT_MS ?? 5_000),
    leaseMs: Number(process.env.TEST_LEASE_MS ?? 15_000),
  },
});
process.once('SIGTERM', () => {
  void worker.stop(2_000).then(() => process.exit(0));
});
