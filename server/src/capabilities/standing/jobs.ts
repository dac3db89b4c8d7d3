import { z } from 'zod';
import { type FollowReport, isFollowerCurrent } from '#capabilities/corpus/index.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { STANDING, type StandingDeps } from './follow-standings.ts';
import { keepStandings, walkStandings } from './keep-standings.ts';
import { analyzeStandings } from './store.ts';

const KEEP = 'standing.keep';
const WALK = 'standing.walk';
/** A walk over 3.3 M indicators takes three minutes; runs that start meanwhile find it claimed and end at once. */
const TIMEOUT_MS = HOUR_MS;

export type StandingWorkerDeps = {
  /** The judge of this process; null while its replica is not ready, and the next run tries again. */
  readonly judge: () => StandingDeps | null;
  /** Called when an import is scored: what is made of the standings is then built without waiting for its time. */
  readonly onImportScored?: (tx: Db) => Promise<unknown>;
};

/** From this many changes on the tables are analyzed, because plans of the small table would read all of it. */
const ANALYZED_FROM = 10_000;

/** Follows the change log each minute and judges each hour; compares everything at night. */
export const standingWorkerPart = ({
  judge,
  onImportScored,
}: StandingWorkerDeps): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: KEEP,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async (context) => {
        const deps = judge();
        if (deps !== null) await keep(context, deps, onImportScored);
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

async function keep(
  { transaction, signal, log, jobId }: JobContext,
  deps: StandingDeps,
  onImportScored: StandingWorkerDeps['onImportScored'],
): Promise<void> {
  const wasCurrent = await transaction((tx) => isFollowerCurrent(tx, STANDING));
  const onProgress = (soFar: FollowReport) => log.info(soFar, 'standing.following');
  const report = await keepStandings(deps, { transaction, signal, run: jobId, onProgress });
  const { put, removed, walks } = report.followed;
  const changes = put + removed;
  if (changes + walks > 0 || report.judged?.wasDue === true) log.info(report, 'standing.kept');
  if (changes >= ANALYZED_FROM) await transaction(analyzeStandings);
  if (wasCurrent || onImportScored === undefined) return;
  await transaction(async (tx) => {
    if (await isFollowerCurrent(tx, STANDING)) await onImportScored(tx);
  });
}
