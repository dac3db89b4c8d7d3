import { z } from 'zod';
import { periodOf } from '#domain/metering/period.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { forgetNotices } from './quota-store.ts';
import { forgetCounts, forgetWriters } from './store.ts';
import { type TellQuotaDeps, tellQuota } from './tell-quota.ts';

const TELL = 'usage.tell-quota';
const FORGET = 'usage.forget';
const TIMEOUT_MS = 600_000;
/** Callers may ask for 365 days; counts are kept a month longer. */
const KEPT_MS = 400 * DAY_MS;
/** Repeats of a batch are known by its number; they come within seconds of PostgreSQL being back. */
const WRITERS_KEPT_MS = 7 * DAY_MS;
const FORGOTTEN_AT_ONCE = 20_000;
const PARTS_MAX = 1_000;

export const usageWorkerPart = ({
  clock,
  letters,
}: Omit<TellQuotaDeps, 'transaction'>): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} => ({
  jobs: [
    job({
      name: TELL,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, log }) => {
        const told = await tellQuota({ clock, letters, transaction });
        if (told > 0) log.info({ told }, 'usage.quota-told');
      },
    }),
    job({
      name: FORGET,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: (context) => forget(context, clock.now()),
    }),
  ],
  crons: [
    { job: TELL, pattern: '*/5 * * * *', maxAttempts: 1 },
    { job: FORGET, pattern: '47 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 },
  ],
});

async function forget({ transaction, log, signal }: JobContext, nowMs: number): Promise<void> {
  const beforeMs = nowMs - KEPT_MS;
  const beforeDay = new Date(beforeMs).toISOString().slice(0, 10);
  let rows = 0;
  for (let part = 0; part < PARTS_MAX && !signal.aborted; part += 1) {
    const gone = await transaction((tx) => forgetCounts(tx, beforeDay, FORGOTTEN_AT_ONCE));
    rows += gone;
    if (gone < FORGOTTEN_AT_ONCE) break;
  }
  await transaction((tx) => forgetWriters(tx, nowMs - WRITERS_KEPT_MS));
  await transaction((tx) => forgetNotices(tx, periodOf(beforeMs).name));
  log.info({ rows }, 'usage.forgotten');
}
