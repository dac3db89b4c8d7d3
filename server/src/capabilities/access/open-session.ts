import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, ServiceError } from '#platform/errors.ts';
import type { SignInDoor } from './access.ts';
import { type Actor, actorOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { clientAddress } from './client-address.ts';
import type { SignedIn } from './contract.ts';
import { selectSessionNames } from './session-store.ts';
import {
  createSession,
  findSession,
  type OpenedBy,
  renewSession,
  revokeSession,
  type SessionDeps,
} from './sessions.ts';

/** A sign-in with a password or a passkey, without an identity provider. */
export type OwnSignIn = {
  readonly userId: string;
  /** The proofs given so far; null while a second factor may still follow. */
  readonly factors: readonly string[] | null;
  readonly actor: Actor;
  /** False when the person switches to another account within an open session. */
  readonly isNew: boolean;
};

export type OpenSessionDeps = SessionDeps & {
  readonly signIn: SignInDoor;
  /** Throws 403 for a person who has to sign in through the identity provider of an organization (decisions 3.2). */
  readonly admitOwnSignIn: (signIn: OwnSignIn) => Promise<void>;
  readonly usageOf: (accountId: string) => Promise<{ readonly checks: number; readonly resetsAtMs: number }>;
};

/** The request and reply that carry the session cookie. */
export type Exchanged = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/**
 * Opens a session for a user who has just proven who they are, and sets its cookie. The session of the request ends;
 * otherwise it would stay open unnoticed. The token is always a new one, so a planted cookie opens nothing. A sign-in with a
 * password or a passkey also makes the browser a known device.
 */
export async function openSession(
  deps: OpenSessionDeps,
  { request, reply }: Exchanged,
  { accountId, userId }: Pick<Caller, 'accountId' | 'userId'>,
  by: OpenedBy,
): Promise<SignedIn> {
  const { method, factors = [], actor } = by;
  const isOwn = method === 'password' || method === 'passkey';
  const isNew = by.expiresAtMs === undefined;
  if (isOwn) await deps.admitOwnSignIn({ userId, factors, actor, isNew });
  await endCurrent(deps, request, { isProven: true });
  const who = {
    accountId,
    userId,
    ip: clientAddress(request),
    userAgent: request.headers['user-agent'] ?? '',
  };
  const { token, id, expiresAtMs } = await createSession(deps, who, by);
  const opened = await findSession(deps, token);
  // Null when the account was deleted, or the user left it, between the proof and this line.
  if (opened === null) throw new ServiceError('Unauthorized', 'This account has ended. Sign in again.');
  const state = await describeSession(deps, opened.caller, id);
  setCookie(deps, reply, token, expiresAtMs);
  if (isOwn && isNew)
    reply.header('set-cookie', deps.signIn.device.issue(request, state.account.email, deps.clock.now()));
  return state;
}

/** Continues the session under a new token after the user gave another proof. False: it has ended meanwhile. */
export async function confirmSession(
  deps: OpenSessionDeps,
  { request, reply }: Exchanged,
  caller: Pick<Caller, 'accountId' | 'id'> & Parameters<typeof actorOf>[0],
  /** The proofs given now, in addition to those that opened the session. */
  shown: readonly string[] = [],
): Promise<boolean> {
  const renewed = await renewSession(deps, caller, actorOf(caller, request), shown);
  if (renewed === null) return false;
  setCookie(deps, reply, renewed.token, renewed.expiresAtMs);
  return true;
}

function setCookie(deps: OpenSessionDeps, reply: FastifyReply, token: string, expiresAtMs: number): void {
  const leftS = Math.max(0, Math.ceil((expiresAtMs - deps.clock.now()) / 1_000));
  reply.header('set-cookie', deps.signIn.cookie.issue(token, leftS));
}

/** Refuses another site, which could sign a visitor in to its own account or sign them out (reliability 3.C). */
export function refuseForged(
  { signIn: { sameSite } }: Pick<OpenSessionDeps, 'signIn'>,
  request: FastifyRequest,
): void {
  if (sameSite.isForged(request))
    throw forbidden(
      `Signing in and out works from ${sameSite.webOrigin} only. Open the dashboard at that address, or set PUBLIC_WEB_URL to the one you use.`,
    );
}

/** Refuses pages of other sites on routes without a cookie; programs and pages of the dashboard may call them. */
export function refuseElsewhere(
  { signIn: { sameSite } }: Pick<OpenSessionDeps, 'signIn'>,
  request: FastifyRequest,
): void {
  if (sameSite.isElsewhere(request))
    throw forbidden(`Pages of another site cannot ask for this. Open ${sameSite.webOrigin}.`);
}

/** Ends the session of the request, if there is one, and clears its cookie. */
export async function signOut(deps: OpenSessionDeps, { request, reply }: Exchanged): Promise<void> {
  refuseForged(deps, request);
  await endCurrent(deps, request, { isProven: false });
  reply.header('set-cookie', [...deps.signIn.cookie.clear]);
}

async function endCurrent(
  deps: OpenSessionDeps,
  request: FastifyRequest,
  { isProven }: { readonly isProven: boolean },
): Promise<void> {
  const found = await deps.signIn.read(request, { isProven });
  if (found.state === 'none' || found.state === 'ended') return;
  const { caller } = found;
  await revokeSession(deps, caller.accountId, caller.id, actorOf(caller, request));
}

export async function describeSession(
  deps: OpenSessionDeps,
  caller: Caller,
  sessionId: string,
): Promise<SignedIn> {
  const { accountId, userId, organizationId, role, plan, limits } = caller;
  const [names, usage] = await Promise.all([
    deps.postgres.withAccount(accountId, (tx) => selectSessionNames(tx, sessionId)),
    deps.usageOf(accountId),
  ]);
  if (names === undefined) throw new Error('The session that was just read is missing.');
  return {
    signedIn: true,
    account: { id: accountId, userId, email: names.email },
    organization: organizationId === null ? null : { id: organizationId, name: names.organizationName ?? '' },
    role,
    plan,
    expiresAt: names.expiresAt.toISOString(),
    usage: {
      used: usage.checks,
      limit: limits.checksPerMonth,
      resetsAt: new Date(usage.resetsAtMs).toISOString(),
    },
    bulkEntitiesMax: limits.bulkEntities,
  };
}
