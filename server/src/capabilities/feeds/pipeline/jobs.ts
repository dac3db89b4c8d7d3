import { z } from 'zod';
import { SourceId } from '#capabilities/corpus/index.ts';
import { clearOldSpools, deleteOldRuns } from '#capabilities/datasets/index.ts';
import { type Cron, enqueue, type Job, type JobContext, job } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { idsOutsideCatalogue } from '../submissions/find-fetch-row.ts';
import type { PipelineDeps } from './contract.ts';
import { showFigures } from './feed-metrics.ts';
import { deleteOldListings } from './retention-store.ts';
import { runSource } from './run-source.ts';
import { claimDue, lockSchedule, readFigures, releaseClaim } from './schedule-store.ts';
import { syncCatalogue } from './sync-catalogue.ts';

const RUN_JOB = 'feeds.run';
const SCHEDULE_JOB = 'feeds.schedule';
const RETENTION_JOB = 'feeds.retention';
const AT_ONCE = 2;
const RUN_TIMEOUT_MS = 1_800_000;
const SCHEDULE_TIMEOUT_MS = 60_000;
const RETENTION_TIMEOUT_MS = HOUR_MS;
/** A dead worker's job is taken up within 30 s and may then need its whole time again. */
const CLAIM_MS = 2 * RUN_TIMEOUT_MS;
/** Runs are kept as long as a rollback can name one. */
const RUNS_KEPT_MS = 90 * DAY_MS;
/** A replay reaches back 90 days (scoring ruling 12); listings dropped up to 90 days before still fade in it. */
const LISTINGS_KEPT_MS = 180 * DAY_MS;
const SPOOL_KEPT_MS = 2 * DAY_MS;
const ROWS_PER_BATCH = 20_000;
const BATCHES_MAX = 5_000;

export type FeedsWorkerDeps = PipelineDeps & {
  /** Limit of concurrent downloads and merges over all workers; two when absent. */
  readonly atOnceMax?: number;
};

export type FeedsWorkerPart = { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] };

/** The worker's jobs for feeds: a check for due sources every minute, the runs, and the deletion of old history. */
export function feedsWorkerPart(deps: FeedsWorkerDeps): FeedsWorkerPart {
  return {
    jobs: [
      job({
        name: SCHEDULE_JOB,
        schema: z.object({}),
        timeoutMs: SCHEDULE_TIMEOUT_MS,
        run: async (context) => {
          await context.transaction((tx) => enqueueDue(deps, tx));
          showFigures(await readFigures(deps.system.db), deps.clock.now());
        },
      }),
      job({
        name: RUN_JOB,
        schema: z.object({ sourceId: SourceId, force: z.boolean().optional() }),
        timeoutMs: RUN_TIMEOUT_MS,
        run: (context, { sourceId, force }) => runJob(deps, context, sourceId, force === true),
      }),
      job({
        name: RETENTION_JOB,
        schema: z.object({}),
        timeoutMs: RETENTION_TIMEOUT_MS,
        run: (context) => forgetOld(deps, context),
      }),
    ],
    crons: [
      { job: SCHEDULE_JOB, pattern: '* * * * *', maxAttempts: 1 },
      { job: RETENTION_JOB, pattern: '41 3 * * *', catchUpMs: HOUR_MS, maxAttempts: 3 },
    ],
  };
}

/** At the start of a worker: registers the catalogue and starts the first check without waiting for the minute. */
export async function startFeeds(deps: FeedsWorkerDeps): Promise<void> {
  await syncCatalogue(deps);
  await deps.system.transaction((tx) => enqueue(tx, SCHEDULE_JOB, {}, { key: SCHEDULE_JOB, maxAttempts: 1 }));
}

/** Queues a run that an operator asked for; any free worker takes it. */
export const enqueueRun = (tx: Db, sourceId: string, force = false): Promise<string> =>
  enqueue(
    tx,
    RUN_JOB,
    { sourceId, force },
    { key: `feeds:${sourceId}`, queue: `feeds:${sourceId}`, maxAttempts: 3 },
  );

async function runJob(
  deps: FeedsWorkerDeps,
  context: JobContext,
  sourceId: string,
  force: boolean,
): Promise<void> {
  const outcome = await runSource(deps, sourceId, {
    force,
    signal: context.signal,
    workerId: context.workerId,
    fence: context.fence,
  });
  const { status, runId, reason } = outcome;
  context.log.info({ source: sourceId, run: runId, status, reason }, 'feed.run.finished');
  // Gives the free slot to the next source without waiting for the full minute.
  await context.transaction(async (tx) => {
    await releaseClaim(tx, sourceId);
    await enqueueDue(deps, tx);
  });
}

async function enqueueDue(deps: FeedsWorkerDeps, tx: Db): Promise<void> {
  await lockSchedule(tx);
  const nowMs = deps.clock.now();
  const ids = await claimDue(tx, {
    ids: [...runnable(deps), ...(await idsOutsideCatalogue(tx, deps.catalogue))],
    nowMs,
    claimedUntilMs: nowMs + CLAIM_MS,
    atOnceMax: deps.atOnceMax ?? AT_ONCE,
  });
  for (const id of ids) await enqueueRun(tx, id);
}

const runnable = ({ catalogue, keys }: PipelineDeps): readonly string[] =>
  catalogue.flatMap(({ id, key }) => (key === undefined || keys(key.env) !== undefined ? [id] : []));

async function forgetOld(deps: FeedsWorkerDeps, context: JobContext): Promise<void> {
  const nowMs = deps.clock.now();
  const runs = await inBatches(context, (tx) => deleteOldRuns(tx, nowMs - RUNS_KEPT_MS, ROWS_PER_BATCH));
  const listings = await inBatches(context, (tx) =>
    deleteOldListings(tx, nowMs - LISTINGS_KEPT_MS, ROWS_PER_BATCH),
  );
  const spools = await clearOldSpools(deps.dataDir, nowMs - SPOOL_KEPT_MS);
  context.log.info({ runs, listings, spools }, 'feeds.retention.done');
}

/** Small transactions, because deleting a night's history at once would hold back vacuum for the whole database. */
async function inBatches(context: JobContext, remove: (tx: Db) => Promise<number>): Promise<number> {
  let rows = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    context.signal.throwIfAborted();
    const removed = await context.transaction(remove);
    rows += removed;
    if (removed < ROWS_PER_BATCH) break;
  }
  return rows;
}
