import { buildJob, JudgeMissing } from '#capabilities/publications/index.ts';
import type { Audience } from '#capabilities/standing/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Cron, Job } from '#platform/jobs.ts';
import { buildMmdb } from './build-mmdb.ts';
import type { MmdbJudge } from './gather-networks.ts';
import { publishMmdb } from './publish-mmdb.ts';

export const BUILD_MMDB = 'mmdb.build';

export type MmdbWorkerDeps = {
  /** The judge of this process; null while its replica is not ready, and the job is tried again. */
  readonly judge: () => MmdbJudge | null;
  readonly clock: Clock;
  readonly audience: Audience;
};

/** Every ten minutes, at other minutes than the shared lists: builds the database again if its members changed. */
export const mmdbWorkerPart = ({
  judge,
  clock,
  audience,
}: MmdbWorkerDeps): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => {
  const build = buildJob({
    name: BUILD_MMDB,
    publication: 'mmdb',
    run: async ({ transaction, log, attempt, attemptsMax }, signal) => {
      const report = await publishMmdb(
        { clock, transaction },
        async () => {
          const opened = judge();
          if (opened === null) throw new JudgeMissing();
          return buildMmdb({ judge: opened, audience, transaction, signal });
        },
        { signal, attempt: { attempt, attemptsMax } },
      );
      if (report.outcome === 'held') log.error(report, 'mmdb.held');
      else if (report.outcome === 'built') log.info(report, 'mmdb.built');
    },
  });
  return { jobs: [build.job], crons: [build.cron] };
};
