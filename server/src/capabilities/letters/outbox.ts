import type { Clock } from '#platform/clock.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { SEND_JOB } from './letters.ts';
import {
  countByKind,
  countSuppressions,
  deletePause,
  findLetterState,
  insertPause,
  selectPauses,
  selectWaiting,
} from './outbox-store.ts';
import { postponeLetter } from './store.ts';
import { kindsOf, TOPICS, type Topic } from './topics.ts';

export type OutboxDeps = { readonly system: Postgres; readonly clock: Clock };

/** Letters of a resumed topic that are queued at once; the job that finds stranded letters queues the rest. */
const HURRIED_MAX = 1_000;

/** Tries a waiting letter now. One that ended keeps neither address nor text, so it cannot be sent again. */
export const retryLetter = ({ system, clock }: OutboxDeps, id: string): Promise<void> =>
  system.transaction(async (tx) => {
    if (await hurry(tx, id, clock.now())) return;
    const state = await findLetterState(tx, id);
    if (state === undefined) throw notFound('Letter', id);
    throw new ServiceError(
      'Conflict',
      `Letter '${id}' has ended (${state}), and its address and text were erased then. Let the person ask for it again.`,
    );
  });

async function hurry(tx: Db, id: string, nowMs: number): Promise<boolean> {
  const isWaiting = await postponeLetter(tx, { id, attempts: null }, { nextAtMs: nowMs, reason: null });
  if (isWaiting) await enqueue(tx, SEND_JOB, { id }, { key: id });
  return isWaiting;
}

export type Sequence = {
  readonly id: Topic;
  readonly kinds: readonly string[];
  readonly enabled: boolean;
  readonly pausedAt: Date | null;
  readonly pausedBy: string | null;
  readonly sent: number;
  readonly waiting: number;
  readonly unsubscribed: number;
};

/** The topics of letters that people can end and operators can pause. */
export async function listSequences({ system }: Pick<OutboxDeps, 'system'>): Promise<readonly Sequence[]> {
  const [pauses, counts, ended] = [
    await selectPauses(system.db),
    await countByKind(system.db),
    await countSuppressions(system.db),
  ];
  return TOPICS.map((topic) => {
    const kinds = kindsOf(topic);
    const pause = pauses.find((each) => each.topic === topic);
    const mine = counts.filter(({ kind }) => kinds.some((each) => each === kind));
    return {
      id: topic,
      kinds,
      enabled: pause === undefined,
      pausedAt: pause?.pausedAt ?? null,
      pausedBy: pause?.pausedBy ?? null,
      sent: mine.reduce((sum, { sent }) => sum + sent, 0),
      waiting: mine.reduce((sum, { waiting }) => sum + waiting, 0),
      unsubscribed: ended.find((each) => each.topic === topic)?.people ?? 0,
    };
  });
}

/** While a topic is paused its letters wait. A letter that is not sent within 72 hours expires, as every letter does. */
export async function setSequence(
  { system, clock }: OutboxDeps,
  { topic, enabled, by }: { readonly topic: Topic; readonly enabled: boolean; readonly by: string },
): Promise<void> {
  const nowMs = clock.now();
  await system.transaction(async (tx) => {
    if (!enabled) return insertPause(tx, topic, by, nowMs);
    await deletePause(tx, topic);
    for (const id of await selectWaiting(tx, kindsOf(topic), HURRIED_MAX)) await hurry(tx, id, nowMs);
  });
}
