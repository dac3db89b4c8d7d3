import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { deleteOldEvents } from './store.ts';

const FORGET = 'billing.forget';
const TIMEOUT_MS = 300_000;
/** Longer than the few days for which a provider delivers an event again. */
const KEPT_MS = 30 * DAY_MS;
const ROWS_MAX = 10_000;

/** Every night: forgets events of the payment provider that it does not deliver again. */
export const billingWorkerPart = ({
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
        const events = await transaction((tx) => deleteOldEvents(tx, clock.now() - KEPT_MS, ROWS_MAX));
        log.info({ events }, 'billing.forgotten');
      },
    }),
  ],
  crons: [{ job: FORGET, pattern: '51 3 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
});
