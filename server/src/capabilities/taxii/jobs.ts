import { z } from 'zod';
import type { StandingDeps } from '#capabilities/standing/index.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import type { Audience } from './export-classes.ts';
import { keepCollections, rebuildCollections } from './keep-collections.ts';

const KEEP = 'taxii.keep';
const REBUILD = 'taxii.rebuild';
const TIMEOUT_MS = HOUR_MS;

export type TaxiiWorkerDeps = {
  /** The judge of this process; null while its replica is not ready, and the next run tries again. */
  readonly judge: () => StandingDeps | null;
  readonly audience: Audience;
};

/** Compares the shared collections with the standings every five minutes if these changed, and all of it from 02:00 UTC. */
export const taxiiWorkerPart = ({
  judge,
  audience,
}: TaxiiWorkerDeps): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => {
  const runOf = (name: string, sync: typeof keepCollections): Job =>
    job({
      name,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, signal, log, jobId }) => {
        const opened = judge();
        if (opened === null) return;
        const report = await sync({ judge: opened, audience }, { transaction, signal, run: jobId });
        if (report.published + report.left > 0 || name === REBUILD) log.info(report, 'taxii.synced');
      },
    });
  return {
    jobs: [runOf(KEEP, keepCollections), runOf(REBUILD, rebuildCollections)],
    crons: [
      // No second attempt: the next run does the same.
      { job: KEEP, pattern: '*/5 * * * *', maxAttempts: 1 },
      { job: REBUILD, pattern: '0 2 * * *', maxAttempts: 3 },
    ],
  };
};
