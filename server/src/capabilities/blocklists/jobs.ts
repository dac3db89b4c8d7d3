import { z } from 'zod';
import { buildJob } from '#capabilities/publications/index.ts';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { BuildDeps } from './build-list.ts';
import { publishLists } from './publish-lists.ts';
import { prunePulls } from './pull-store.ts';

export type BlocklistsWorkerDeps = Pick<BuildDeps, 'source' | 'openArtifact'> & {
  readonly clock: Clock;
  /** How long a build may take; an hour when absent. */
  readonly deadlineMs?: number;
};

export const BUILD_LISTS = 'blocklists.build';
const PRUNE = 'blocklists.prune-pulls';
const PRUNE_TIMEOUT_MS = 60_000;
const PULLS_KEPT_MS = 90 * DAY_MS;

/** Every ten minutes each list is built again if its members changed, and at once when an import is scored. */
export const blocklistsWorkerPart = (
  deps: BlocklistsWorkerDeps,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => {
  const build = buildJob({
    name: BUILD_LISTS,
    publication: 'blocklists',
    deadlineMs: deps.deadlineMs,
    run: (context, signal) => buildAll(deps, context, signal),
  });
  return {
    jobs: [build.job, pruneJob(deps)],
    crons: [build.cron, { job: PRUNE, pattern: '41 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
  };
};

async function buildAll(deps: BlocklistsWorkerDeps, context: JobContext, signal: AbortSignal): Promise<void> {
  const { transaction, attempt, attemptsMax } = context;
  const reports = await publishLists({ ...deps, transaction }, { signal, attempt: { attempt, attemptsMax } });
  for (const { error, ...report } of reports)
    if (report.outcome === 'failed') context.log.error({ ...report, err: error }, 'blocklist.failed');
    else if (report.outcome !== 'unchanged') context.log.info(report, 'blocklist.built');
  const failed = reports.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) throw new Error(`${failed} of ${reports.length} blocklists could not be built.`);
}

const pruneJob = (deps: BlocklistsWorkerDeps): Job =>
  job({
    name: PRUNE,
    schema: z.object({}),
    timeoutMs: PRUNE_TIMEOUT_MS,
    run: async (context) => {
      await context.transaction((tx) => prunePulls(tx, deps.clock.now() - PULLS_KEPT_MS));
    },
  });
