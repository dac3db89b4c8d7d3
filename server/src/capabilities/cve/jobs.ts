import { z } from 'zod';
import type { LoadDeps } from '#capabilities/datasets/index.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { deleteOldQuality } from './load/stage-store.ts';
import { mergePending } from './merge/merge-pending.ts';
import { countQuality } from './quality/count-quality.ts';

const MERGE_JOB = 'cve.merge';
const QUALITY_JOB = 'cve.quality';
const RETENTION_JOB = 'cve.retention';
const MERGE_TIMEOUT_MS = HOUR_MS;
const QUALITY_KEPT_MS = 180 * DAY_MS;
const ROWS_PER_BATCH = 20_000;

/** Makes the records that a killed load left unmade, counts how complete sources are, and deletes old counts of nulls. */
export const cveWorkerPart = (
  deps: Pick<LoadDeps, 'system' | 'clock'>,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: MERGE_JOB,
      schema: z.object({}),
      timeoutMs: MERGE_TIMEOUT_MS,
      run: async (context) => {
        const made = await mergePending(deps, { signal: context.signal, fence: context.fence });
        if (made > 0) context.log.info({ made }, 'cve.merged');
      },
    }),
    job({
      name: QUALITY_JOB,
      schema: z.object({}),
      timeoutMs: MERGE_TIMEOUT_MS,
      run: async (context) => {
        if (await countQuality(context, deps.clock.now())) context.log.info({}, 'cve.quality-counted');
      },
    }),
    job({
      name: RETENTION_JOB,
      schema: z.object({}),
      timeoutMs: MERGE_TIMEOUT_MS,
      run: (context) => forgetOld(deps, context),
    }),
  ],
  crons: [
    { job: MERGE_JOB, pattern: '*/5 * * * *', maxAttempts: 1 },
    { job: QUALITY_JOB, pattern: '*/5 * * * *', maxAttempts: 1 },
    { job: RETENTION_JOB, pattern: '53 3 * * *', catchUpMs: HOUR_MS, maxAttempts: 3 },
  ],
});

async function forgetOld({ clock }: Pick<LoadDeps, 'clock'>, context: JobContext): Promise<void> {
  const beforeMs = clock.now() - QUALITY_KEPT_MS;
  for (let removed = ROWS_PER_BATCH; removed === ROWS_PER_BATCH; ) {
    context.signal.throwIfAborted();
    removed = await context.transaction((tx) => deleteOldQuality(tx, beforeMs, ROWS_PER_BATCH));
  }
}
