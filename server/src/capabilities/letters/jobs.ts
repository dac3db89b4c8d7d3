import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { type Cron, enqueue, type Job, type JobContext, job } from '#platform/jobs.ts';
import type { Mailer } from '#platform/mail.ts';
import { createSecrets } from '#platform/secrets.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { SEND_JOB } from './letters.ts';
import { RETRIED_MS } from './retry-schedule.ts';
import { type SendDeps, sendLetter } from './send-letter.ts';
import { createServerPause } from './server-pause.ts';
import { deleteFinished, expireOlder, selectStranded } from './store.ts';

const FIND_STRANDED = 'letters.find-stranded';
const FORGET = 'letters.forget';
/** Longer than the longest exchange with a mail server. */
const SEND_TIMEOUT_MS = 120_000;
const TIMEOUT_MS = 300_000;
/** Longer than the time after which another worker takes over a dead worker's jobs (reliability W3). */
const STRANDED_MS = 600_000;
const KEPT_MS = 30 * DAY_MS;
const ROWS_MAX = 1_000;
const BATCHES_MAX = 200;

export type LettersWorkerDeps = {
  readonly clock: Clock;
  readonly config: Pick<Config, 'SECRET_KEY' | 'PUBLIC_WEB_URL'>;
  /** Null without SMTP_URL: letters that were written earlier wait until they expire. */
  readonly mailer: Mailer | null;
};

export function lettersWorkerPart({ clock, config, mailer }: LettersWorkerDeps): {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
} {
  const forget = job({
    name: FORGET,
    schema: z.object({}),
    timeoutMs: TIMEOUT_MS,
    run: (context) => forgetLetters(context, clock),
  });
  const crons = [{ job: FORGET, pattern: '11 4 * * *', catchUpMs: DAY_MS, maxAttempts: 3 }];
  if (mailer === null) return { jobs: [forget], crons };
  const deps: SendDeps = {
    clock,
    mailer,
    pause: createServerPause(clock),
    secrets: createSecrets(config.SECRET_KEY),
    webUrl: config.PUBLIC_WEB_URL.replace(/(?<!\/)\/+$/, ''),
    random: Math.random,
  };
  return {
    jobs: [
      forget,
      job({
        name: SEND_JOB,
        schema: z.object({ id: z.string().max(64) }),
        timeoutMs: SEND_TIMEOUT_MS,
        run: (context, { id }) => sendLetter(deps, context, id),
      }),
      job({
        name: FIND_STRANDED,
        schema: z.object({}),
        timeoutMs: TIMEOUT_MS,
        run: (context) => findStranded(context, clock),
      }),
    ],
    crons: [...crons, { job: FIND_STRANDED, pattern: '*/5 * * * *', maxAttempts: 1 }],
  };
}

/** Queues a new job for a letter whose job failed for good (25 attempts), so that only age ends a letter. */
export async function findStranded({ transaction, log }: JobContext, clock: Clock): Promise<void> {
  const count = await transaction(async (tx) => {
    const ids = await selectStranded(tx, clock.now() - STRANDED_MS, ROWS_MAX);
    for (const id of ids) await enqueue(tx, SEND_JOB, { id }, { key: id });
    return ids.length;
  });
  if (count > 0) log.warn({ letters: count }, 'letters.stranded');
}

/** Ends letters that waited longer than tries go on, and deletes ended ones after 30 days. */
export async function forgetLetters({ transaction, log }: JobContext, clock: Clock): Promise<void> {
  const nowMs = clock.now();
  const beforeMs = nowMs - RETRIED_MS - DAY_MS;
  const expired = await inBatches(() =>
    transaction((tx) => expireOlder(tx, { beforeMs, nowMs, rowsMax: ROWS_MAX })),
  );
  const deleted = await inBatches(() => transaction((tx) => deleteFinished(tx, nowMs - KEPT_MS, ROWS_MAX)));
  log.info({ expired, deleted }, 'letters.forgotten');
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
