import { z } from 'zod';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { learnReliability, type ReliabilityDeps } from './learn-reliability.ts';

export const RELIABILITY_JOB = 'feeds.reliability';
/** A sample of 20,000 entries takes half a second, or a few seconds on a busy machine; about 250 sources are judged. */
const TIMEOUT_MS = 1_800_000;

/** Once a night, half an hour after lineage, because a copy must not confirm its original. */
export function reliabilityWorkerPart(deps: ReliabilityDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} {
  return {
    jobs: [
      job({
        name: RELIABILITY_JOB,
        schema: z.object({}),
        timeoutMs: TIMEOUT_MS,
        run: async ({ log, transaction, signal }) => {
          await learnReliability({ ...deps, log }, { transaction, signal });
        },
      }),
    ],
    crons: [{ job: RELIABILITY_JOB, pattern: '41 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
  };
}
