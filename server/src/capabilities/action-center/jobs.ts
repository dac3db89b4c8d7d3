import { z } from 'zod';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { type BriefDeps, writeBriefs } from './write-briefs.ts';

const BRIEF_JOB = 'risk-brief.write';

export const actionCenterWorkerPart = (
  deps: BriefDeps,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: BRIEF_JOB,
      schema: z.object({}),
      timeoutMs: 6 * HOUR_MS,
      run: async (context) => {
        context.log.info(await writeBriefs(deps, context), 'risk-brief.written');
      },
    }),
  ],
  crons: [{ job: BRIEF_JOB, pattern: '0 0 * * 1', catchUpMs: 2 * DAY_MS, maxAttempts: 10 }],
});
