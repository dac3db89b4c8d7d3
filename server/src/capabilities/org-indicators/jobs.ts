import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { forgetBefore } from './store.ts';

const FORGET = 'org-indicators.forget';
const TIMEOUT_MS = 600_000;
/** A replay reaches back 90 days (scoring ruling 12). */
const KEPT_MS = 91 * DAY_MS;

/** Every night: forgets the periods and revisions that no replay can reach. */
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
        const rows = await transaction((tx) => forgetBefore(tx, clock.now() - KEPT_MS));
        log.info({ rows }, 'org-indicators.forgotten');
      },
    }),
  ],
  crons: [{ job: FORGET, pattern: '37 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
});
