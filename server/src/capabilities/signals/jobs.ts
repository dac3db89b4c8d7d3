import { z } from 'zod';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type TrainDeps, trainSignals } from './train-signals.ts';

export const TRAIN_JOB = 'signals.train';
/** About a minute for 2 M names; a busy machine may need several times that. */
const TIMEOUT_MS = 1_800_000;

/** Runs once a night, after the jobs of lineage and reliability, so that the day's lists are merged and judged. */
export function signalsWorkerPart(deps: TrainDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} {
  return {
    jobs: [
      job({
        name: TRAIN_JOB,
        schema: z.object({}),
        timeoutMs: TIMEOUT_MS,
        run: async ({ log, transaction, signal }) => {
          await trainSignals({ ...deps, log }, { transaction, signal });
        },
      }),
    ],
    crons: [{ job: TRAIN_JOB, pattern: '53 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
  };
}
