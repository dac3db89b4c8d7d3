import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { type Actor, recordAudit } from './audit.ts';
import {
  deleteSessionOfUser,
  deleteSessionsOfUser,
  type PersonSession,
  selectSessionsOfUser,
} from './session-store.ts';
import { SESSION_IDLE_MS } from './sessions.ts';

/** The maximum of listed sessions: more than the browsers of one person in all of their accounts. */
export const PERSON_SESSIONS_MAX = 200;

/** The sessions of one person in all of their accounts, which no single account sees (foundation rule 2). */
export type PersonSessions = {
  readonly list: (userId: string) => Promise<readonly PersonSession[]>;
  /** Answers 404 for a session of another person. */
  readonly end: (userId: string, id: string, actor: Actor) => Promise<void>;
};

/** `system` is the pool that sees all accounts. */
export const createPersonSessions = (deps: {
  readonly system: Postgres;
  readonly clock: Clock;
}): PersonSessions => ({
  list: (userId) =>
    deps.system.transaction((tx) =>
      selectSessionsOfUser(tx, userId, deps.clock.now(), SESSION_IDLE_MS, PERSON_SESSIONS_MAX),
    ),
  end: (userId, id, actor) =>
    deps.system.transaction(async (tx) => {
      const accountId = await deleteSessionOfUser(tx, userId, id);
      if (accountId === undefined) throw notFound('Session', id);
      await noteEnd(tx, { id, accountId }, actor, deps.clock.now());
    }),
});

/** Part of a transaction of the system role: ends the sessions of a person everywhere, because of a new password. */
export async function endPersonSessions(tx: Db, userId: string, actor: Actor, nowMs: number): Promise<void> {
  for (const ended of await deleteSessionsOfUser(tx, userId)) await noteEnd(tx, ended, actor, nowMs);
}

const noteEnd = (
  tx: Db,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  actor: Actor,
  nowMs: number,
): Promise<void> =>
  recordAudit(tx, {
    accountId,
    actor,
    action: 'session.end',
    target: id,
    before: { id },
    after: null,
    nowMs,
  });
