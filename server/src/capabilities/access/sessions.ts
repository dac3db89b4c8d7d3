import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { type Db, type Postgres, postgresFailure } from '#platform/postgres.ts';
import { type Actor, recordAudit } from './audit.ts';
import type { Caller } from './caller.ts';
import { type AllowList, createAllowList } from './client-address.ts';
import { grants } from './key-records.ts';
import {
  deleteOldestSessions,
  deleteSession,
  insertSession,
  nameAccount,
  nameSession,
  type SessionGrants,
  type SessionRow,
  selectGrants,
  selectSession,
  touchSession,
} from './session-store.ts';
import { lockActiveKey } from './store.ts';

/** Reliability 3.C: an unused session ends after 12 hours, any session after 7 days. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
export const SESSION_ABSOLUTE_MS = 7 * 86_400_000;
/** In one account; more than anybody has browsers. */
export const SESSIONS_PER_USER_MAX = 50;
/** `last_seen_at` is written at most once a minute: half a day of idling needs no more precision. */
const SEEN_PRECISION_MS = 60_000;
const SYSTEM: Actor = { kind: 'system', id: 'session', ip: '', requestId: '' };
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const USER_AGENT_CHARS_MAX = 256;

export type SessionDeps = { readonly postgres: Postgres; readonly clock: Clock };
export type NewSession = { readonly id: string; readonly token: string; readonly expiresAtMs: number };

/**
 * The token leaves in the cookie and is stored nowhere: only its SHA-256 is. `keyId` names the key pair that was shown
 * for it, null where there was none.
 */
export async function createSession(
  deps: SessionDeps,
  who: {
    readonly accountId: string;
    readonly userId: string;
    readonly ip: string;
    readonly userAgent: string;
  },
  by: { readonly actor: Actor; readonly keyId: string | null } = { actor: SYSTEM, keyId: null },
): Promise<NewSession> {
  const nowMs = deps.clock.now();
  const id = newId('ses', nowMs);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAtMs = nowMs + SESSION_ABSOLUTE_MS;
  const row = {
    ...who,
    id,
    keyId: by.keyId,
    tokenHash: tokenHash(token),
    userAgent: who.userAgent.slice(0, USER_AGENT_CHARS_MAX),
  };
  await deps.postgres.withAccount(who.accountId, async (tx) => {
    // The replica may know a key a moment longer than there is one; a session would outlive that moment by days.
    if (by.keyId !== null && (await lockActiveKey(tx, by.keyId)) === undefined)
      throw new ServiceError('Unauthorized', 'Invalid API key');
    await insertSession(tx, row, nowMs, expiresAtMs);
    await deleteOldestSessions(tx, who.accountId, who.userId, SESSIONS_PER_USER_MAX);
    await note(tx, by.actor, 'session.create', who.accountId, id, nowMs);
  });
  return { id, token, expiresAtMs };
}

/** Whose session it is, and from where the key that opened it may be used; null: from anywhere. */
export type OpenSession = { readonly caller: Caller; readonly allows: AllowList | null };

/** The session behind a token, or null when it is unknown, ended, or its user has left the organization. */
export async function findSession(deps: SessionDeps, token: string): Promise<OpenSession | null> {
  if (!TOKEN.test(token)) return null;
  const nowMs = deps.clock.now();
  const hashed = tokenHash(token);
  try {
    return await deps.postgres.transaction(async (tx) => {
      await nameSession(tx, hashed);
      const session = await selectSession(tx, hashed, nowMs, SESSION_IDLE_MS);
      if (session === undefined) return null;
      await nameAccount(tx, session.accountId);
      const granted = await selectGrants(tx, session);
      if (granted === undefined) return null;
      if (nowMs - session.lastSeenAt.getTime() >= SEEN_PRECISION_MS)
        await touchSession(tx, session.id, nowMs);
      return { caller: sessionCaller(session, granted), allows: createAllowList(granted.cidrs) };
    });
  } catch (error) {
    throw postgresFailure(error);
  }
}

const sessionCaller = ({ id, accountId, userId }: SessionRow, granted: SessionGrants): Caller => ({
  kind: 'session',
  id,
  keyId: null,
  accountId,
  userId,
  organizationId: granted.organizationId,
  role: granted.role,
  ...grants(granted.plan, granted.billing, granted.status, granted.limits),
});

/** True when there was something to end. */
export const revokeSession = (
  deps: SessionDeps,
  accountId: string,
  id: string,
  actor: Actor = SYSTEM,
): Promise<boolean> =>
  deps.postgres.withAccount(accountId, async (tx) => {
    const wasThere = await deleteSession(tx, id);
    if (wasThere) await note(tx, actor, 'session.end', accountId, id, deps.clock.now());
    return wasThere;
  });

const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

const note = (
  tx: Db,
  actor: Actor,
  action: 'session.create' | 'session.end',
  accountId: string,
  id: string,
  nowMs: number,
): Promise<void> =>
  recordAudit(tx, {
    accountId,
    actor,
    action,
    target: id,
    before: action === 'session.end' ? { id } : null,
    after: action === 'session.create' ? { id } : null,
    nowMs,
  });
