import { z } from 'zod';
import { type Cron, enqueue, type Job, type JobContext, job } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import type { DatasetDeps } from '../contract.ts';
import { firstRunMs } from '../runs/pacing.ts';
import type { DatasetDefinition } from './definition.ts';
import { registerDataset, runDefinition } from './run-definition.ts';
import { claimDueDatasets, planFirstRun, releaseDatasetClaim } from './store.ts';

const RUN_JOB = 'datasets.run';
const SCHEDULE_JOB = 'datasets.schedule';
const RUN_TIMEOUT_MS = 3_600_000;
const SCHEDULE_TIMEOUT_MS = 60_000;
/** A dead worker's job is taken up within 30 s and may then need its whole time again. */
const CLAIM_MS = 2 * RUN_TIMEOUT_MS;
/** Large files are read one at a time, so that a load does not take the memory of two. */
const AT_ONCE_MAX = 1;

export type DatasetsWorkerDeps = DatasetDeps & { readonly definitions: readonly DatasetDefinition[] };

/** The worker's jobs for data sets: a check for due ones every minute, and their runs. */
export function datasetsWorkerPart(deps: DatasetsWorkerDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} {
  return {
    jobs: [
      job({
        name: SCHEDULE_JOB,
        schema: z.object({}),
        timeoutMs: SCHEDULE_TIMEOUT_MS,
        run: (context) => context.transaction((tx) => enqueueDue(deps, tx)),
      }),
      job({
        name: RUN_JOB,
        schema: z.object({ datasetId: z.string().max(64) }),
        timeoutMs: RUN_TIMEOUT_MS,
        run: (context, { datasetId }) => runJob(deps, context, datasetId),
      }),
    ],
    crons: [{ job: SCHEDULE_JOB, pattern: '* * * * *', maxAttempts: 1 }],
  };
}

/** At the start of a worker: registers the data sets and plans the first run of each. */
export async function startDatasets(deps: DatasetsWorkerDeps): Promise<void> {
  for (const [nth, definition] of deps.definitions.entries()) {
    const { number } = await registerDataset(deps, definition);
    await planFirstRun(deps.system.db, number, firstRunMs(deps.clock.now(), nth, deps.definitions.length));
  }
  await deps.system.transaction((tx) => enqueue(tx, SCHEDULE_JOB, {}, { key: SCHEDULE_JOB, maxAttempts: 1 }));
}

async function runJob(deps: DatasetsWorkerDeps, context: JobContext, datasetId: string): Promise<void> {
  const definition = deps.definitions.find(({ id }) => id === datasetId);
  if (definition !== undefined) {
    const { status, runId, reason } = await runDefinition(deps, definition, {
      signal: context.signal,
      workerId: context.workerId,
      fence: context.fence,
    });
    context.log.info({ dataset: datasetId, run: runId, status, reason }, 'dataset.run.finished');
  }
  await context.transaction(async (tx) => {
    await releaseDatasetClaim(tx, datasetId);
    await enqueueDue(deps, tx);
  });
}

async function enqueueDue(deps: DatasetsWorkerDeps, tx: Db): Promise<void> {
  const nowMs = deps.clock.now();
  const ids = await claimDueDatasets(tx, {
    ids: deps.definitions.flatMap(({ id, key }) =>
      key === undefined || deps.keys(key.env) !== undefined ? [id] : [],
    ),
    nowMs,
    claimedUntilMs: nowMs + CLAIM_MS,
    atOnceMax: AT_ONCE_MAX,
  });
  for (const datasetId of ids)
    await enqueue(
      tx,
      RUN_JOB,
      { datasetId },
      { key: `datasets:${datasetId}`, queue: `datasets:${datasetId}`, maxAttempts: 3 },
    );
}
