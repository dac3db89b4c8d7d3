import { z } from 'zod';
import { LINEAGE_JOB } from '#capabilities/corpus/index.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { computeLineage, type LineageDeps } from './compute-lineage.ts';

/** Measured below one minute for 5 M listings; a busy machine may need several times that. */
const TIMEOUT_MS = 1_200_000;

/** Once a night, after the lists of the day are merged and before working hours in Europe. */
export function lineageWorkerPart(deps: LineageDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} {
  return {
    jobs: [
      job({
        name: LINEAGE_JOB,
        schema: z.object({}),
        timeoutMs: TIMEOUT_MS,
        run: async ({ log, transaction, signal }) => {
          await computeLineage({ ...deps, log }, { transaction, signal });
        },
      }),
    ],
    crons: [{ job: LINEAGE_JOB, pattern: '11 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
  };
}
