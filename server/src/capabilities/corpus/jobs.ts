import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { sweepFading } from './sweep-fading.ts';

const SWEEP = 'corpus.sweep-fading';
const TIMEOUT_MS = 600_000;

/** Hourly, because ages are whole hours (scoring ruling 1), so nothing fades out in between. */
export const corpusWorkerPart = (deps: {
  readonly clock: Clock;
}): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: SWEEP,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, signal, log }) => {
        const listings = await sweepFading({ ...deps, transaction, signal });
        log.info({ listings }, 'corpus.faded');
      },
    }),
  ],
  crons: [{ job: SWEEP, pattern: '17 * * * *', catchUpMs: HOUR_MS, maxAttempts: 3 }],
});
