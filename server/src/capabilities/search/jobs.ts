import { z } from 'zod';
import type { FollowReport } from '#capabilities/corpus/index.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { followCorpus } from './follow-corpus.ts';

const FOLLOW = 'search.follow';
/** The first walk over 2 M names takes minutes; runs that start meanwhile find it claimed and end at once. */
const TIMEOUT_MS = HOUR_MS;

/** Runs every minute, so a change of a listing is searchable a minute later. */
export const searchWorkerPart = (): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: FOLLOW,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, signal, log, jobId }) => {
        // A first walk over 2 M names takes two minutes, so each batch logs its progress.
        const onProgress = (soFar: FollowReport) => log.info(soFar, 'search.following');
        const report = await followCorpus({ transaction, signal, run: jobId, onProgress });
        if (report.put + report.removed + report.walks > 0) log.info(report, 'search.followed');
      },
    }),
  ],
  // One attempt is enough, because the next run comes in a minute and does the same work.
  crons: [{ job: FOLLOW, pattern: '* * * * *', maxAttempts: 1 }],
});
