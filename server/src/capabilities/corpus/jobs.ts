import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { sweepFading } from './sweep-fading.ts';

const SWEEP = 'corpus.sweep-fading';
const TIMEOUT_MS = 600_000;

/** Every hour: ages are whole hours (scoring ruling 1), so nothing fades out between two. */
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
  crons: [{ job: SWEEP, pattern: '17 * * * *', catchUpMs: 3_600_000, maxAttempts: 3 }],
});
