import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { sealDay } from './seal-day.ts';

const SEAL_JOB = 'cases.seal';

export const casesWorkerPart = (deps: {
  readonly clock: Clock;
}): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: SEAL_JOB,
      schema: z.object({}),
      timeoutMs: HOUR_MS,
      run: async (context) => {
        context.log.info(await sealDay(deps.clock, context), 'cases.sealed');
      },
    }),
  ],
  // Ten minutes after the day ended, when what was written in its last seconds is committed.
  crons: [{ job: SEAL_JOB, pattern: '10 0 * * *', catchUpMs: DAY_MS, maxAttempts: 5 }],
});
