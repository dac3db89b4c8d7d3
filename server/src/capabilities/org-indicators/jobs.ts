import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { forgetObjects } from './object-store.ts';
import { forgetBefore } from './store.ts';

const FORGET = 'org-indicators.forget';
const TIMEOUT_MS = 600_000;
/** A replay reaches back 90 days (scoring ruling 12). */
const KEPT_MS = 91 * DAY_MS;

/** Every night: forgets the periods and revisions that no replay can reach, and objects that were revoked long ago. */
export const orgIndicatorsWorkerPart = ({
  clock,
}: {
  readonly clock: Clock;
}): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: FORGET,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, log }) => {
        const beforeMs = clock.now() - KEPT_MS;
        const rows = await transaction((tx) => forgetBefore(tx, beforeMs));
        const objects = await transaction((tx) => forgetObjects(tx, beforeMs * 1_000));
        log.info({ rows, objects }, 'org-indicators.forgotten');
      },
    }),
  ],
  crons: [{ job: FORGET, pattern: '37 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
});
