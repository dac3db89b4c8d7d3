import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { type Actor, recordAudit } from './audit.ts';
import { type Caller, hasSecondFactor, type SessionMethod } from './caller.ts';
import { type AllowList, createAllowList } from './client-address.ts';
import { grants } from './key-records.ts';
import {
  deleteOldestSessions,
  deleteSession,
  insertSession,
  nameAccount,
  nameSession,
  replaceToken,
  type SessionGrants,
  type SessionRow,
  selectGrants,
  selectSession,
  touchSession,
} from './session-store.ts';
import { lockActiveKey } from './store.ts';

/** An unused session ends after 12 hours, any session after 7 days (reliability 3.C). */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
export const SESSION_ABSOLUTE_MS = 7 * DAY_MS;
/** The maximum of sessions of a user in one account: more than one user has browsers. The oldest ones end. */
export const SESSIONS_PER_USER_MAX = 50;
/** `last_seen_at` is written at most once a minute, which is precise enough for 12 hours of idle time. */
const SEEN_PRECISION_MS = 60_000;
const SYSTEM: Actor = { kind: 'system', id: 'session', ip: '', requestId: '' };
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const USER_AGENT_CHARS_MAX = 256;

export type SessionDeps = { readonly postgres: Postgres; readonly clock: Clock };
export type NewSession = { readonly id: string; readonly token: string; readonly expiresAtMs: number };

/** How a session is opened. `keyId` is the key pair used to sign in, or null. */
export type OpenedBy = {
  readonly actor: Actor;
  readonly keyId: string | null;
  /** How the user signed in; `key` when absent. */
  readonly method?: SessionMethod;
  readonly factors?: readonly string[];
  /** When the user proved who they are; now when absent. */
  readonly provedAtMs?: number;
  /** When it ends at the latest; seven days from now when absent. Given when a session continues in another account. */
  readonly expiresAtMs?: number;
};

/** The token is sent in the cookie; only its SHA-256 is stored. */
export async function createSession(
  deps: SessionDeps,
  who: {
    readonly accountId: string;
    readonly userId: string;
    readonly ip: string;
    readonly userAgent: string;
  },
  by: OpenedBy = { actor: SYSTEM, keyId: null },
): Promise<NewSession> {
  const nowMs = deps.clock.now();
  const id = newId('ses', nowMs);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAtMs = by.expiresAtMs ?? nowMs + SESSION_ABSOLUTE_MS;
  const row = {
    ...who,
    id,
    keyId: by.keyId,
    method: by.method ?? 'key',
    factors: by.factors ?? ['key'],
    provedAtMs: by.provedAtMs ?? nowMs,
    tokenHash: tokenHash(token),
    userAgent: who.userAgent.slice(0, USER_AGENT_CHARS_MAX),
  };
  await deps.postgres.withAccount(who.accountId, async (tx) => {
    // The replica may hold a revoked key for a moment, but a session opened with it would live for days.
    if (by.keyId !== null && (await lockActiveKey(tx, by.keyId)) === undefined)
      throw new ServiceError('Unauthorized', 'Invalid API key');
    await insertSession(tx, row, nowMs, expiresAtMs);
    await deleteOldestSessions(tx, who.accountId, who.userId, SESSIONS_PER_USER_MAX);
    await note(tx, by.actor, 'session.create', who.accountId, id, nowMs, { method: row.method });
  });
  return { id, token, expiresAtMs };
}

/** The caller, and the allow list of the key that opened the session; null allows every address. */
export type OpenSession = {
  readonly caller: Caller;
  readonly allows: AllowList | null;
  /** True when the organization demands a second factor and the user gave none in this session. */
  readonly lacksFactor: boolean;
};

/** Ended tokens kept by a process: about 1 MB. */
const ENDED_MAX = 10_000;
/** A user who left an organization can come back to it, so an ended token is looked up again after this time. */
const ENDED_KEPT_MS = 60_000;

/**
 * Finds sessions by token. Asks PostgreSQL only once a minute for the token of an ended session, because a former user
 * can send it any number of times.
 */
export function createFindSession(deps: SessionDeps): (token: string) => Promise<OpenSession | null> {
  const ended = new Map<string, number>();
  return async (token) => {
    const nowMs = deps.clock.monotonic();
    if (nowMs < (ended.get(token) ?? 0)) return null;
    const found = await findSession(deps, token);
    if (found !== null) return found;
    if (ended.size >= ENDED_MAX) ended.clear();
    ended.set(token, nowMs + ENDED_KEPT_MS);
    return null;
  };
}

/** Null when the token is unknown, the session has ended, or the user has left the organization. */
export async function findSession(deps: SessionDeps, token: string): Promise<OpenSession | null> {
  if (!TOKEN.test(token)) return null;
  const nowMs = deps.clock.now();
  const hashed = tokenHash(token);
  return deps.postgres.transaction(async (tx) => {
    await nameSession(tx, hashed);
    const session = await selectSession(tx, hashed, nowMs, SESSION_IDLE_MS);
    if (session === undefined) return null;
    await nameAccount(tx, session.accountId);
    const granted = await selectGrants(tx, session);
    if (granted === undefined) return null;
    const isDue = nowMs - session.lastSeenAt.getTime() >= SEEN_PRECISION_MS;
    if (isDue && !session.isReadOnly) await touchSession(tx, session.id, nowMs);
    return {
      caller: sessionCaller(session, granted),
      allows: createAllowList(granted.cidrs),
      lacksFactor: granted.demandsFactor && !hasSecondFactor(session),
    };
  });
}

const sessionCaller = (session: SessionRow, granted: SessionGrants): Caller => ({
  kind: 'session',
  id: session.id,
  keyId: session.keyId,
  accountId: session.accountId,
  userId: session.userId,
  proof: { method: session.method, factors: session.factors, provedAtMs: session.provedAt.getTime() },
  organizationId: granted.organizationId,
  role: granted.role,
  ...grants(granted.plan, granted.billing, granted.status, granted.limits),
});

/** A new token for the same session, after its user proved who they are again; null when the session has ended. */
export async function renewSession(
  deps: SessionDeps,
  { accountId, id }: Pick<Caller, 'accountId' | 'id'>,
  actor: Actor,
  shown: readonly string[] = [],
): Promise<{ readonly token: string; readonly expiresAtMs: number } | null> {
  const nowMs = deps.clock.now();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return deps.postgres.withAccount(accountId, async (tx) => {
    const expiresAt = await replaceToken(tx, id, { tokenHash: tokenHash(token), shown }, nowMs);
    if (expiresAt === undefined) return null;
    await note(tx, actor, 'session.confirm', accountId, id, nowMs);
    return { token, expiresAtMs: expiresAt.getTime() };
  });
}

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
  action: 'session.create' | 'session.end' | 'session.confirm',
  accountId: string,
  id: string,
  nowMs: number,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> =>
  recordAudit(tx, {
    accountId,
    actor,
    action,
    target: id,
    before: action === 'session.create' ? null : { id },
    after: action === 'session.end' ? null : { id },
    detail,
    nowMs,
  });
