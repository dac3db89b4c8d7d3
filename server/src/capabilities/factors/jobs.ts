import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { deleteEndedTokens } from './store.ts';

const FORGET_JOB = 'factors.forget';
const TIMEOUT_MS = 60_000;

/** Deletes challenges and tickets that can no longer be used. */
export const factorsWorkerPart = (deps: {
  readonly clock: Clock;
}): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: FORGET_JOB,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, log }) => {
        const rows = await transaction((tx) => deleteEndedTokens(tx, deps.clock.now()));
        log.info({ rows }, 'factors.forgotten');
      },
    }),
  ],
  crons: [{ job: FORGET_JOB, pattern: '29 * * * *', catchUpMs: HOUR_MS, maxAttempts: 3 }],
});
