import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { deleteEntriesBefore, deleteUnconfirmed } from './store.ts';
import { CONFIRM_WITHIN_MS } from './subscribers.ts';

const FORGET = 'forms.forget';
const TIMEOUT_MS = 300_000;
const ROWS_MAX = 1_000;
const BATCHES_MAX = 200;

export type FormsWorkerDeps = {
  readonly clock: Clock;
  readonly config: Pick<Config, 'FORMS_KEPT_DAYS'>;
};

/** Every night: erases entries after FORMS_KEPT_DAYS, and addresses that did not confirm. */
export const formsWorkerPart = (
  deps: FormsWorkerDeps,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: FORGET,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: (context) => forgetForms(context, deps),
    }),
  ],
  crons: [{ job: FORGET, pattern: '19 4 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }],
});

export async function forgetForms(
  { transaction, log }: Pick<JobContext, 'transaction' | 'log'>,
  { clock, config }: FormsWorkerDeps,
): Promise<void> {
  const nowMs = clock.now();
  const keptMs = config.FORMS_KEPT_DAYS * DAY_MS;
  const entries = await inBatches(() =>
    transaction((tx) => deleteEntriesBefore(tx, nowMs - keptMs, ROWS_MAX)),
  );
  const unconfirmed = await inBatches(() =>
    transaction((tx) => deleteUnconfirmed(tx, nowMs - CONFIRM_WITHIN_MS, ROWS_MAX)),
  );
  log.info({ entries, unconfirmed }, 'forms.forgotten');
}

async function inBatches(work: () => Promise<number>): Promise<number> {
  let rows = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const done = await work();
    rows += done;
    if (done < ROWS_MAX) break;
  }
  return rows;
}
