import { z } from 'zod';
import { buildJob, JudgeMissing } from '#capabilities/publications/index.ts';
import type { StandingDeps } from '#capabilities/standing/index.ts';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import type { Audience } from './export-classes.ts';
import { keepCollections, rebuildCollections } from './keep-collections.ts';
import { recordCollections } from './record-collections.ts';

export const KEEP_COLLECTIONS = 'taxii.keep';
const REBUILD = 'taxii.rebuild';
const TIMEOUT_MS = HOUR_MS;

export type TaxiiWorkerDeps = {
  /** The judge of this process; null while its replica is not ready, and the job is tried again. */
  readonly judge: () => StandingDeps | null;
  readonly clock: Clock;
  readonly audience: Audience;
};

/** Compares the shared collections with the standings every five minutes if these changed, and all of it from 02:00 UTC. */
export const taxiiWorkerPart = (
  deps: TaxiiWorkerDeps,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => {
  const keep = buildJob({
    name: KEEP_COLLECTIONS,
    publication: 'taxii',
    run: (context, signal) => run(deps, context, { sync: keepCollections, signal }),
  });
  const rebuild = job({
    name: REBUILD,
    schema: z.object({}),
    timeoutMs: TIMEOUT_MS,
    run: (context) => run(deps, context, { sync: rebuildCollections, signal: context.signal }),
  });
  return {
    jobs: [keep.job, rebuild],
    crons: [keep.cron, { job: REBUILD, pattern: '0 2 * * *', maxAttempts: 3 }],
  };
};

async function run(
  { judge, clock, audience }: TaxiiWorkerDeps,
  { transaction, log, jobId, attempt, attemptsMax }: JobContext,
  given: { readonly sync: typeof keepCollections; readonly signal: AbortSignal },
): Promise<void> {
  const { sync, signal } = given;
  const report = await recordCollections(
    { clock, transaction },
    async () => {
      const opened = judge();
      if (opened === null) throw new JudgeMissing();
      return sync({ judge: opened, audience }, { transaction, signal, run: jobId });
    },
    { signal, attempt: { attempt, attemptsMax } },
  );
  if (report.published + report.left > 0 || sync === rebuildCollections) log.info(report, 'taxii.synced');
}
