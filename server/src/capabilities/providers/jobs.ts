import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { trimLiveAnswers } from './live-answer-store.ts';
import { deleteUnseenSince } from './observations/store.ts';

/** A year and a month; older observations say nothing about today. */
const OBSERVED_KEPT_MS = 400 * DAY_MS;
const ROWS_PER_BATCH = 10_000;
const BATCHES_MAX = 1_000;
const TIMEOUT_MS = 1_800_000;

type Forgetting = {
  readonly name: string;
  readonly pattern: string;
  readonly forget: (tx: Db, nowMs: number) => Promise<number>;
};

/** Deleted daily: observations not repeated for 400 days, and stored answers too old to stand in for a lookup. */
const DAILY: readonly Forgetting[] = [
  {
    name: 'observations.trim',
    pattern: '23 5 * * *',
    forget: (tx, nowMs) => deleteUnseenSince(tx, nowMs - OBSERVED_KEPT_MS, ROWS_PER_BATCH),
  },
  { name: 'live-answers.trim', pattern: '41 5 * * *', forget: trimLiveAnswers },
];

export const providersWorkerPart = ({
  clock,
}: {
  readonly clock: Clock;
}): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: DAILY.map(({ name, forget }) =>
    job({
      name,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ log, transaction, signal }) => {
        let rows = 0;
        for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
          signal.throwIfAborted();
          const gone = await transaction((tx) => forget(tx, clock.now()));
          rows += gone;
          if (gone === 0) break;
        }
        log.info({ rows }, 'live.forgotten');
      },
    }),
  ),
  crons: DAILY.map(({ name, pattern }) => ({ job: name, pattern, catchUpMs: DAY_MS, maxAttempts: 3 })),
});
