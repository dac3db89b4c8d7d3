import { z } from 'zod';
import {
  actorOf,
  callerOf,
  demandRecentProof,
  openSession,
  type PersonSessions,
  SignedIn,
} from '#capabilities/access/index.ts';
import { forbidden, notFound, ServiceError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import { SessionList, SessionParams, SwitchBody, User } from './contract.ts';
import type { AccountsDeps } from './open-accounts.ts';
import { SESSION_POLICY, TAGS } from './policies.ts';

export const personRoutes = (deps: AccountsDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/user',
    summary: 'You: your address and the organizations you belong to.',
    tags: TAGS,
    policy: { ...SESSION_POLICY, surface: 'both' },
    otherStatuses: { 404: 'Your account was deleted a moment ago.' },
    reply: User,
    handle: ({ principal }) => describe(deps, principal),
  }),
  route({
    method: 'GET',
    path: '/auth/sessions',
    summary: 'Your open sessions in all of your accounts, the last used first.',
    tags: TAGS,
    policy: SESSION_POLICY,
    reply: SessionList,
    handle: async ({ principal }) => ({ sessions: await listSessions(deps.sessions, principal) }),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    summary: 'End one of your sessions.',
    description:
      'Another session than the one that asks needs a proof of the last ten minutes (POST /api/auth/confirm).',
    tags: TAGS,
    policy: SESSION_POLICY,
    params: SessionParams,
    reply: z.undefined(),
    status: 204,
    handle: async ({ principal, request, reply, params }) => {
      const isCurrent = params.id === principal.id;
      if (!isCurrent) demandRecentProof(deps.clock, principal);
      await refuseUnseen(deps, principal, params.id);
      await deps.sessions.end(principal.userId, params.id, actorOf(principal, request));
      if (isCurrent) reply.header('set-cookie', [...deps.session.signIn.cookie.clear]);
      return undefined;
    },
  }),
  route({
    method: 'POST',
    path: '/auth/switch',
    summary: 'Go on in another of your accounts: your own, or an organization you belong to.',
    description:
      'The session goes on under a new cookie and ends when the old one would have. 404 for an account that is not yours; 403 for a session of a key pair or of single sign-on, which works for one account.',
    tags: TAGS,
    policy: SESSION_POLICY,
    body: SwitchBody,
    otherStatuses: { 404: 'The account does not exist, or you do not belong to it.' },
    reply: SignedIn,
    handle: (call) => switchAccount(deps, call),
  }),
];

/** Opens a session for another account of the same person, because a session acts for one account only. */
async function switchAccount(
  deps: AccountsDeps,
  call: Call<undefined, undefined, typeof SwitchBody>,
): Promise<SignedIn> {
  const { principal, request, body } = call;
  const { userId } = principal;
  const { accountId } = body;
  const proof = callerOf(principal)?.proof;
  if (proof === undefined || proof.method === 'key' || proof.method === 'sso')
    throw forbidden('This session works for one account. Sign in with your password to use another.');
  const [known, open] = await Promise.all([deps.people.describe(userId), deps.sessions.list(userId)]);
  const member = known?.organizations.find(({ id }) => id === accountId);
  if (accountId !== userId && member === undefined) throw notFound('Account', accountId);
  // Members from single sign-on must use it, except owners, who must get in while the identity provider is down.
  if (member?.origin === 'sso' && member.role !== 'OWNER')
    throw new ServiceError(
      'Forbidden',
      'You joined this organization through its single sign-on. Sign in with it to work there.',
      { body: { ssoRequired: true, organizationId: accountId } },
    );
  const current = open.find(({ id }) => id === principal.id);
  if (current === undefined) throw new ServiceError('Unauthorized', 'This session has ended. Sign in again.');
  const expiresAtMs = current.expiresAt.getTime();
  const by = { ...proof, actor: actorOf(principal, request), keyId: null, expiresAtMs };
  return openSession(deps.session, call, { accountId, userId }, by);
}

async function describe({ people }: AccountsDeps, principal: Principal): Promise<User> {
  const { userId } = principal;
  const known = await people.describe(userId);
  if (known === null) throw notFound('User', userId);
  const { person } = known;
  const organizations = known.organizations.filter(({ id }) => isSeen(principal, id));
  return {
    id: userId,
    email: person.email,
    emailVerified: person.emailVerifiedAt !== null,
    hasPassword: person.phc !== null,
    isClaimed: !person.isUnclaimed,
    createdAt: person.createdAt.toISOString(),
    organizations: organizations.map(({ id, name, role }) => ({ id, name, role })),
  };
}

/** Refuses a session that this caller may not see with 404, as for a session of another person. */
async function refuseUnseen({ sessions }: AccountsDeps, principal: Principal, id: string): Promise<void> {
  if (callerOf(principal)?.proof?.method !== 'sso') return;
  if (!(await listSessions(sessions, principal)).some((session) => session.id === id))
    throw notFound('Session', id);
}

async function listSessions(
  sessions: PersonSessions,
  principal: Principal,
): Promise<SessionList['sessions']> {
  const open = await sessions.list(principal.userId);
  return open
    .filter(({ accountId }) => isSeen(principal, accountId))
    .map((session) => ({
      id: session.id,
      isCurrent: session.id === principal.id,
      accountId: session.accountId,
      method: session.method,
      factors: [...session.factors],
      openedAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      address: session.ip,
      userAgent: session.userAgent,
    }));
}

/**
 * Whether a session may be shown. An identity provider vouches for a person in its organization only, so a session
 * opened through it sees nothing of the person's other accounts.
 */
const isSeen = (principal: Principal, accountId: string): boolean =>
  callerOf(principal)?.proof?.method !== 'sso' || accountId === principal.accountId;
