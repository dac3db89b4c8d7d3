import { z } from 'zod';
import type { Audience } from '#capabilities/standing/index.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { buildMmdb } from './build-mmdb.ts';
import type { MmdbJudge } from './gather-networks.ts';

const BUILD = 'mmdb.build';
const TIMEOUT_MS = 540_000;

export type MmdbWorkerDeps = {
  /** The judge of this process; null while its replica is not ready, and the next run tries again. */
  readonly judge: () => MmdbJudge | null;
  readonly audience: Audience;
};

/** Every ten minutes, at other minutes than the shared lists: builds the database again if its members changed. */
export const mmdbWorkerPart = ({
  judge,
  audience,
}: MmdbWorkerDeps): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: BUILD,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, signal, log }) => {
        const opened = judge();
        if (opened === null) return;
        const report = await buildMmdb({ judge: opened, audience, transaction, signal });
        if (report.outcome === 'held') log.error(report, 'mmdb.held');
        else if (report.outcome === 'built') log.info(report, 'mmdb.built');
      },
    }),
  ],
  crons: [{ job: BUILD, pattern: '3,13,23,33,43,53 * * * *', maxAttempts: 1 }],
});
