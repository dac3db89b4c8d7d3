import { z } from 'zod';
import type { FollowReport } from '#capabilities/corpus/index.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import type { StandingDeps } from './follow-standings.ts';
import { keepStandings, walkStandings } from './keep-standings.ts';

const KEEP = 'standing.keep';
const WALK = 'standing.walk';
/** A walk over 3.3 M indicators takes three minutes; runs that start meanwhile find it claimed and end at once. */
const TIMEOUT_MS = HOUR_MS;

export type StandingWorkerDeps = {
  /** The judge of this process; null while its replica is not ready, and the next run tries again. */
  readonly judge: () => StandingDeps | null;
};

/** Follows the change log each minute and judges each hour; compares everything at night. */
export const standingWorkerPart = ({
  judge,
}: StandingWorkerDeps): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: KEEP,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, signal, log, jobId }) => {
        const deps = judge();
        if (deps === null) return;
        const onProgress = (soFar: FollowReport) => log.info(soFar, 'standing.following');
        const report = await keepStandings(deps, { transaction, signal, run: jobId, onProgress });
        const { put, removed, walks } = report.followed;
        if (put + removed + walks > 0 || report.judged?.wasDue === true) log.info(report, 'standing.kept');
      },
    }),
    job({
      name: WALK,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, signal, log, jobId }) => {
        const deps = judge();
        const report = deps === null ? null : await walkStandings(deps, { transaction, signal, run: jobId });
        if (report !== null) log.info(report, 'standing.walked');
      },
    }),
  ],
  crons: [
    // No second attempt: the next run comes in a minute and does the same.
    { job: KEEP, pattern: '* * * * *', maxAttempts: 1 },
    { job: WALK, pattern: '40 3 * * *', maxAttempts: 1 },
  ],
});
