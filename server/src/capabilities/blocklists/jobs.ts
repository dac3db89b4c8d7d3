import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { BuildDeps } from './build-list.ts';
import { buildLists } from './build-lists.ts';
import { LIST_NAMES } from './list-names.ts';
import { prunePulls } from './pull-store.ts';

export type BlocklistsWorkerDeps = Pick<BuildDeps, 'source' | 'openArtifact'> & { readonly clock: Clock };

const BUILD = 'blocklists.build';
const PRUNE = 'blocklists.prune-pulls';
const BUILD_TIMEOUT_MS = 540_000;
const PRUNE_TIMEOUT_MS = 60_000;
const PULLS_KEPT_MS = 90 * DAY_MS;

/** Every ten minutes each list is built again if its members changed (the tick is also the least time between builds). */
export const blocklistsWorkerPart = (
  deps: BlocklistsWorkerDeps,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: BUILD,
      schema: z.object({}),
      timeoutMs: BUILD_TIMEOUT_MS,
      run: async (context) => {
        const reports = await buildLists(
          { ...deps, transaction: context.transaction },
          LIST_NAMES,
          context.signal,
        );
        for (const { error, ...report } of reports)
          if (report.outcome === 'failed') context.log.error({ ...report, err: error }, 'blocklist.failed');
          else if (report.outcome !== 'unchanged') context.log.info(report, 'blocklist.built');
      },
    }),
    job({
      name: PRUNE,
      schema: z.object({}),
      timeoutMs: PRUNE_TIMEOUT_MS,
      run: async (context) => {
        await context.transaction((tx) => prunePulls(tx, deps.clock.now() - PULLS_KEPT_MS));
      },
    }),
  ],
  crons: [
    { job: BUILD, pattern: '*/10 * * * *', maxAttempts: 1 },
    { job: PRUNE, pattern: '41 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 },
  ],
});
