import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { forbidden } from '#platform/errors.ts';
import { DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import type { SignInDoor } from './access.ts';
import { actorOf } from './audit.ts';
import type { Caller } from './caller.ts';
import { clientAddress } from './client-address.ts';
import { SessionState, SignedIn, SignInBody } from './contract.ts';
import { selectSessionNames } from './session-store.ts';
import { createSession, revokeSession, SESSION_ABSOLUTE_MS, type SessionDeps } from './sessions.ts';

export type SessionRoutesDeps = SessionDeps & {
  readonly signIn: SignInDoor;
  readonly usageOf: (accountId: string) => Promise<{ readonly checks: number; readonly resetsAtMs: number }>;
};

/** Only the dashboard uses these routes, because only it has the cookie. */
const POLICY: Policy = {
  surface: 'web',
  auth: 'signIn',
  plan: 'any',
  meter: 'none',
  bodyMax: 4_096,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'B',
  since: '1.0.0',
  extension: true,
};
const PATH = '/auth/session';
const TAGS = ['Session'];

export const sessionRoutes = (deps: SessionRoutesDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: PATH,
    summary: 'Sign in to the dashboard with an API key pair.',
    description:
      'Opens a session and sets its cookie. The pair is judged as it is in X-API-KEY: 401 when it is wrong, 403 from an address outside its allow list. Only pages of the dashboard may call this.',
    tags: TAGS,
    // Signing in writes, so a valid pair is held to the address guard, a wrong one also to AUTH_FAILURES_PER_MINUTE.
    policy: { ...POLICY, meter: 'public' },
    body: SignInBody,
    reply: SignedIn,
    status: 201,
    handle: (call) => signIn(deps, call),
  }),
  route({
    method: 'GET',
    path: PATH,
    summary: 'The signed-in user and the rest of their month.',
    description:
      'Always 200: `signedIn` is false without a session. A cookie whose session has ended, or whose key may not be used from this address, is cleared. Costs nothing.',
    tags: TAGS,
    policy: POLICY,
    reply: SessionState,
    handle: async ({ request, reply }) => {
      const found = await deps.signIn.read(request, { isProven: false });
      if (found.state === 'ended' || found.state === 'elsewhere')
        reply.header('set-cookie', [...deps.signIn.cookie.clear]);
      if (found.state !== 'live') return { signedIn: false as const };
      return describeSession(deps, found.caller, found.caller.id);
    },
  }),
  route({
    method: 'DELETE',
    path: PATH,
    summary: 'Sign out: ends the session and clears its cookie.',
    description: 'Also 204 without a session.',
    tags: TAGS,
    policy: { ...POLICY },
    reply: z.undefined(),
    status: 204,
    handle: async ({ request, reply }) => {
      refuseForged(deps, request);
      await endCurrent(deps, request, { isProven: false });
      reply.header('set-cookie', [...deps.signIn.cookie.clear]);
      return undefined;
    },
  }),
];

type SignInCall = Call<undefined, undefined, typeof SignInBody>;

async function signIn(deps: SessionRoutesDeps, call: SignInCall): Promise<SignedIn> {
  const { request, reply, body } = call;
  refuseForged(deps, request);
  const caller = await deps.signIn.confirmPair(request, body);
  // Signing in ends the current session; otherwise it would stay open unnoticed.
  await endCurrent(deps, request, { isProven: true });
  const { accountId, userId, keyId } = caller;
  const who = {
    accountId,
    userId,
    ip: clientAddress(request),
    userAgent: request.headers['user-agent'] ?? '',
  };
  const session = await createSession(deps, who, { actor: actorOf(caller, request), keyId });
  const state = await describeSession(deps, caller, session.id);
  reply.header('set-cookie', deps.signIn.cookie.issue(session.token, SESSION_ABSOLUTE_MS / 1_000));
  return state;
}

/** Another site must not be able to sign a visitor in to its own account, nor out (reliability 3.C). */
function refuseForged({ signIn: { sameSite } }: SessionRoutesDeps, request: FastifyRequest): void {
  if (sameSite.isForged(request))
    throw forbidden(
      `Signing in and out works from ${sameSite.webOrigin} only. Open the dashboard at that address, or set PUBLIC_WEB_URL to the one you use.`,
    );
}

async function endCurrent(
  deps: SessionRoutesDeps,
  request: FastifyRequest,
  { isProven }: { readonly isProven: boolean },
): Promise<void> {
  const found = await deps.signIn.read(request, { isProven });
  if (found.state === 'none' || found.state === 'ended') return;
  const { caller } = found;
  await revokeSession(deps, caller.accountId, caller.id, actorOf(caller, request));
}

async function describeSession(
  deps: SessionRoutesDeps,
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
