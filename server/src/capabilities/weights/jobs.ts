import { z } from 'zod';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type LearnDeps, learnWeights } from './learn-weights.ts';

export const LEARN_JOB = 'weights.learn';
/** Some minutes for 2 M names and a reference of 1 M hosts (estimated); a busy machine may need several times that. */
const TIMEOUT_MS = 1_800_000;

/** Runs once a night, after lineage, reliability and the training of signals, whose suspicions it reads. */
export function weightsWorkerPart(deps: LearnDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} {
  return {
    jobs: [
      job({
        name: LEARN_JOB,
        schema: z.object({}),
        timeoutMs: TIMEOUT_MS,
        run: async ({ log, transaction, signal }) => {
          await learnWeights({ ...deps, log }, { transaction, signal });
        },
      }),
    ],
    crons: [{ job: LEARN_JOB, pattern: '10 4 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
  };
}
