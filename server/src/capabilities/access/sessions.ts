import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { type Postgres, postgresFailure } from '#platform/postgres.ts';
import type { Caller } from './caller.ts';
import { grants } from './key-records.ts';
import {
  deleteSession,
  insertSession,
  nameAccount,
  nameSession,
  selectGrants,
  selectSession,
  touchSession,
} from './session-store.ts';

/** Reliability 3.C: an unused session ends after 12 hours, any session after 7 days. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
const SESSION_ABSOLUTE_MS = 7 * 86_400_000;
/** `last_seen_at` is written at most once a minute: half a day of idling needs no more precision. */
const SEEN_PRECISION_MS = 60_000;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const USER_AGENT_CHARS_MAX = 256;

export type SessionDeps = { readonly postgres: Postgres; readonly clock: Clock };
export type NewSession = { readonly id: string; readonly token: string; readonly expiresAtMs: number };

/** The token leaves in the cookie and is stored nowhere: only its SHA-256 is. */
export async function createSession(
  deps: SessionDeps,
  who: {
    readonly accountId: string;
    readonly userId: string;
    readonly ip: string;
    readonly userAgent: string;
  },
): Promise<NewSession> {
  const nowMs = deps.clock.now();
  const id = newId('ses', nowMs);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAtMs = nowMs + SESSION_ABSOLUTE_MS;
  const row = {
    ...who,
    id,
    tokenHash: tokenHash(token),
    userAgent: who.userAgent.slice(0, USER_AGENT_CHARS_MAX),
  };
  await deps.postgres.withAccount(who.accountId, (tx) => insertSession(tx, row, nowMs, expiresAtMs));
  return { id, token, expiresAtMs };
}

/** The caller behind a token, or null when it is unknown, ended, or its user has left the organization. */
export async function findSession(deps: SessionDeps, token: string): Promise<Caller | null> {
  if (!TOKEN.test(token)) return null;
  const nowMs = deps.clock.now();
  const hashed = tokenHash(token);
  try {
    return await deps.postgres.transaction(async (tx) => {
      await nameSession(tx, hashed);
      const session = await selectSession(tx, hashed, nowMs, SESSION_IDLE_MS);
      if (session === undefined) return null;
      await nameAccount(tx, session.accountId);
      const granted = await selectGrants(tx, session.accountId, session.userId);
      if (granted === undefined) return null;
      if (nowMs - session.lastSeenAt.getTime() >= SEEN_PRECISION_MS)
        await touchSession(tx, session.id, nowMs);
      return {
        kind: 'session',
        id: session.id,
        keyId: null,
        accountId: session.accountId,
        userId: session.userId,
        organizationId: granted.organizationId,
        role: granted.role,
        ...grants(granted.plan, granted.billing, granted.status, granted.limits),
      };
    });
  } catch (error) {
    throw postgresFailure(error);
  }
}

export const revokeSession = (deps: SessionDeps, accountId: string, id: string): Promise<boolean> =>
  deps.postgres.withAccount(accountId, (tx) => deleteSession(tx, id));

const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
