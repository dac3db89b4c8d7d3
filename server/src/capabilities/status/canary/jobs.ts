import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { type CanaryDeps, runCanary } from './run-canary.ts';
import { countResult, deleteOldDays, deleteOldResults, insertResult } from './store.ts';

const CANARY = 'status.canary';
const FORGET = 'status.forget';
/** Shorter than a minute, because the next run comes after one. */
const TIMEOUT_MS = 55_000;
const RESULTS_KEPT_MS = 25 * HOUR_MS;
const DAYS_KEPT_MS = 31 * DAY_MS;

export type StatusWorkerDeps = {
  readonly clock: Clock;
  /** Null: no canary is set up. */
  readonly canary: CanaryDeps | null;
};

export function statusWorkerPart({ clock, canary }: StatusWorkerDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} {
  const forget = job({
    name: FORGET,
    schema: z.object({}),
    timeoutMs: TIMEOUT_MS,
    run: async ({ transaction, log }) => {
      const results = await transaction((tx) => deleteOldResults(tx, clock.now() - RESULTS_KEPT_MS));
      const days = await transaction((tx) => deleteOldDays(tx, clock.now() - DAYS_KEPT_MS));
      log.info({ results, days }, 'status.forgotten');
    },
  });
  const crons: Cron[] = [{ job: FORGET, pattern: '29 * * * *', maxAttempts: 1 }];
  if (canary === null) return { jobs: [forget], crons };
  return {
    jobs: [
      forget,
      job({
        name: CANARY,
        schema: z.object({}),
        timeoutMs: TIMEOUT_MS,
        run: (context) => sing(context, canary),
      }),
    ],
    crons: [...crons, { job: CANARY, pattern: '* * * * *', maxAttempts: 1 }],
  };
}

async function sing({ transaction, signal, log }: JobContext, canary: CanaryDeps): Promise<void> {
  const nowMs = canary.clock.now();
  const results = await runCanary(canary, signal);
  await transaction(async (tx) => {
    for (const result of results)
      if (await insertResult(tx, result, nowMs)) await countResult(tx, result, nowMs);
  });
  const failed = results.flatMap(({ probe, ms }) => (ms === null ? [probe] : []));
  if (failed.length > 0) log.warn({ failed }, 'status.canary.failed');
}
