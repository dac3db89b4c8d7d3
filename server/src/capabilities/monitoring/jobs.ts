import { z } from 'zod';
import { type AlertMail, createAlertBudget } from '#capabilities/alerts/index.ts';
import type { StandingDeps } from '#capabilities/standing/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { ReaderSpec } from '#platform/events.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { checkDue } from './check-due.ts';
import type { KeepDeps } from './desk.ts';
import { findLookalikes } from './find-lookalikes.ts';
import { claimsReader } from './follow-claims.ts';
import { ownWordsReader } from './follow-own.ts';
import { keepWatched } from './follow-watched.ts';
import { createJudge } from './judge-target.ts';
import { KEEP_JOB } from './keep-items.ts';
import type { FacetLookups } from './look-up-facets.ts';

const CHECK_JOB = 'monitoring.check';
const LOOKALIKES_JOB = 'monitoring.lookalikes';
/** A run may have to check every watched value again, which takes some minutes for ten million. */
const KEEP_TIMEOUT_MS = HOUR_MS;
const SHORT_TIMEOUT_MS = 600_000;

export type MonitoringWorkerDeps = {
  readonly clock: Clock;
  /** The judge of this process; null while its replica is not ready, and the next run tries again. */
  readonly judge: () => StandingDeps | null;
  readonly mail: AlertMail;
  readonly providers: FacetLookups['providers'];
};

export function monitoringWorkerPart(deps: MonitoringWorkerDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
  readonly readers: readonly ReaderSpec[];
} {
  const ready = openChecking(deps);
  const orFail = (): KeepDeps => {
    const opened = ready();
    if (opened === null) throw new Error('The replica of this worker is not ready.');
    return opened;
  };
  return {
    jobs: [
      job({
        name: KEEP_JOB,
        schema: z.object({}),
        timeoutMs: KEEP_TIMEOUT_MS,
        run: async ({ transaction, signal, log, jobId }) => {
          const opened = ready();
          if (opened === null) return;
          const { followed, settled } = await keepWatched(opened, { transaction, signal, run: jobId });
          if (followed.put + followed.walks + settled > 0)
            log.info({ ...followed, settled }, 'monitoring.kept');
        },
      }),
      job({
        name: CHECK_JOB,
        schema: z.object({}),
        timeoutMs: SHORT_TIMEOUT_MS,
        run: async (context) => {
          const opened = ready();
          if (opened === null) return;
          const { enrichment } = opened.checking;
          const report = await checkDue(
            opened,
            { providers: deps.providers, book: enrichment.book },
            context,
          );
          if (report.checked + report.removed > 0) context.log.info(report, 'monitoring.checked');
        },
      }),
      job({
        name: LOOKALIKES_JOB,
        schema: z.object({}),
        timeoutMs: SHORT_TIMEOUT_MS,
        run: (context) => compareNames(deps, context),
      }),
    ],
    crons: [
      // Adding a value also enqueues `monitoring.keep`. One attempt is enough, because the next run does the same work.
      { job: KEEP_JOB, pattern: '* * * * *', maxAttempts: 1 },
      { job: CHECK_JOB, pattern: '* * * * *', maxAttempts: 1 },
      { job: LOOKALIKES_JOB, pattern: '* * * * *', maxAttempts: 1 },
    ],
    readers: [claimsReader(deps), ownWordsReader(orFail)],
  };
}

/** One judge for each replica that is opened, because it caches verdicts. */
function openChecking({ judge, mail }: MonitoringWorkerDeps): () => KeepDeps | null {
  let known: { readonly of: StandingDeps; readonly deps: KeepDeps } | null = null;
  return () => {
    const opened = judge();
    if (opened === null) return null;
    if (known?.of !== opened)
      known = { of: opened, deps: { checking: { ...opened, judge: createJudge(opened) }, mail } };
    return known.deps;
  };
}

async function compareNames(
  { clock, mail }: MonitoringWorkerDeps,
  { transaction, signal, log, jobId }: JobContext,
): Promise<void> {
  const budget = createAlertBudget(jobId);
  let names = 0;
  for (;;) {
    signal.throwIfAborted();
    const taken = await transaction((tx) => findLookalikes(tx, { clock, mail }, budget));
    names += taken;
    if (taken === 0) break;
  }
  if (names > 0) log.info({ names }, 'monitoring.names-compared');
}
