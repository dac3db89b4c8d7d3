import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#platform/clock.ts';
import { enqueue, type JobContext } from '#platform/jobs.ts';
import type { Mailer, MailMessage, MailOutcome } from '#platform/mail.ts';
import { counter } from '#platform/metrics.ts';
import { type Db, isPostgresAway } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';
import { SEND_JOB } from './letters.ts';
import { isPaused } from './outbox-store.ts';
import { renderLetter } from './render-letter.ts';
import { retryAtMs } from './retry-schedule.ts';
import { openLetter } from './sealed-letter.ts';
import type { ServerPause } from './server-pause.ts';
import { type ClaimedLetter, claimLetter, finishLetter, isSuppressed, postponeLetter } from './store.ts';
import { sealUnsubscription, topicOf } from './topics.ts';

export type SendDeps = {
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly pause: ServerPause;
  readonly secrets: Secrets;
  /** PUBLIC_WEB_URL without a slash at its end. */
  readonly webUrl: string;
  /** From 0 to 1. */
  readonly random: () => number;
};

const RECORD_TRIES = 10;
const RECORD_PAUSE_MS = 3_000;

const letters = counter({
  name: 'letters_total',
  help: 'Tries to send a letter, by kind and outcome.',
  labels: ['kind', 'outcome'],
});

/**
 * One try for one letter. Its number of tries is the fence: only the try that claimed the letter last may record its end, and
 * a worker whose lease was lost may record nothing (foundation rule 12).
 */
export async function sendLetter(deps: SendDeps, context: JobContext, id: string): Promise<void> {
  const { clock, pause } = deps;
  const waitMs = pause.waitMs();
  if (waitMs > 0) {
    const atMs = clock.now() + Math.ceil(waitMs * (1 + deps.random()));
    await context.transaction((tx) => tryAgain(tx, { id, attempts: null }, atMs, null));
    return;
  }
  const letter = await context.transaction((tx) => claimLetter(tx, id));
  if (letter === undefined) return;
  const message = await readyLetter(deps, context, letter);
  if (message === null) return;
  const outcome = await deps.mailer.send(message, context.signal);
  letters.inc({ kind: letter.kind, outcome: outcome.status });
  if (outcome.status === 'away') pause.failed();
  else pause.worked();
  await patiently(context, () => context.transaction((tx) => recordOutcome(deps, tx, letter, outcome)));
  if (outcome.status !== 'sent')
    context.log.warn({ letter: id, outcome: outcome.status, reason: outcome.reason }, 'letter.not-sent');
}

/** Waits through a short outage of PostgreSQL, because a letter that was sent but not recorded is sent again. */
async function patiently(context: JobContext, record: () => Promise<void>): Promise<void> {
  for (let triesLeft = RECORD_TRIES; ; triesLeft -= 1) {
    try {
      await record();
      return;
    } catch (error) {
      if (triesLeft <= 1 || !isPostgresAway(error)) throw error;
      await sleep(RECORD_PAUSE_MS, undefined, { signal: context.signal });
    }
  }
}

/** The message to send; null, with the end already recorded, when the letter must not go out. */
async function readyLetter(
  deps: SendDeps,
  { transaction }: JobContext,
  letter: ClaimedLetter,
): Promise<MailMessage | null> {
  const { clock, secrets, webUrl } = deps;
  const opened = openLetter(secrets, letter);
  if (opened === null) {
    const reason = 'It cannot be read: SECRET_KEY no longer lists the version it was sealed under.';
    await transaction((tx) => finishLetter(tx, letter, { state: 'refused', reason, nowMs: clock.now() }));
    return null;
  }
  const { to, content } = opened;
  const topic = topicOf(content.kind);
  const isUnwanted =
    topic !== null && (await transaction((tx) => isSuppressed(tx, letter.addressDigest, topic)));
  if (isUnwanted) {
    const reason = 'The person asked not to get letters of this kind.';
    await transaction((tx) => finishLetter(tx, letter, { state: 'suppressed', reason, nowMs: clock.now() }));
    return null;
  }
  if (topic !== null && (await transaction((tx) => isPaused(tx, topic)))) {
    const outcome = { status: 'away', reason: 'An operator paused letters of this kind.' } as const;
    await transaction((tx) => recordOutcome(deps, tx, letter, outcome));
    return null;
  }
  const unsubscribeLink =
    topic === null
      ? null
      : `${webUrl}/api/email-sequences/unsubscribe?token=${sealUnsubscription(secrets, { addressDigest: letter.addressDigest, topic, letterId: letter.id })}`;
  return {
    id: letter.id,
    to,
    dateMs: letter.createdAtMs,
    ...renderLetter(content, { host: new URL(webUrl).host, unsubscribeLink }),
    ...(unsubscribeLink !== null && {
      headers: {
        'List-Unsubscribe': `<${unsubscribeLink}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
  };
}

async function recordOutcome(
  { clock, random }: SendDeps,
  tx: Db,
  letter: ClaimedLetter,
  { status, reason }: MailOutcome,
): Promise<void> {
  const nowMs = clock.now();
  if (status === 'sent' || status === 'refused') {
    await finishLetter(tx, letter, { state: status, reason, nowMs });
    return;
  }
  const atMs = retryAtMs(letter, nowMs, random());
  if (atMs === null) await finishLetter(tx, letter, { state: 'expired', reason, nowMs });
  else await tryAgain(tx, letter, atMs, reason);
}

async function tryAgain(
  tx: Db,
  letter: { readonly id: string; readonly attempts: number | null },
  atMs: number,
  reason: string | null,
): Promise<void> {
  const isOurs = await postponeLetter(tx, letter, { nextAtMs: atMs, reason });
  if (isOurs) await enqueue(tx, SEND_JOB, { id: letter.id }, { key: letter.id, runAt: new Date(atMs) });
}
