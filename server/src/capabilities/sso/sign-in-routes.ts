import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  actorOf,
  callerOf,
  clientAddress,
  openSession,
  refuseElsewhere,
  refuseForged,
  SignedIn,
} from '#capabilities/access/index.ts';
import { mailboxOf } from '#capabilities/accounts/index.ts';
import { domainOf } from '#domain/sso/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';
import { type Call, NO_BODY, type PreparedBody, type Route, route } from '#platform/http/route.ts';
import {
  CallbackQuery,
  type LookupAnswer,
  LookupBody,
  LookupAnswer as LookupShape,
  SsoSessionBody,
  StartQuery,
} from './contract.ts';
import type { SsoRoutesDeps } from './open-sso-routes.ts';
import { wordsOf } from './provider.ts';
import { SsoFailure } from './sso.ts';

const FOUND = 302;
const TAGS: readonly string[] = ['Single sign-on'];
const LOOKUP_POLICY: Policy = {
  surface: 'web',
  auth: 'public',
  plan: 'any',
  meter: 'public',
  bodyMax: 4_096,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'B',
  since: '1.1.0',
};
/** The provider is asked up to four times, each for at most five seconds. */
const PROVIDER_DEADLINE_MS = 25_000;
const SIGN_IN_POLICY: Policy = { ...LOOKUP_POLICY, auth: 'signIn', deadlineMs: PROVIDER_DEADLINE_MS };

export const ssoSignInRoutes = (deps: SsoRoutesDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/auth/sso/lookup',
    summary: 'Whether an address belongs to a domain with single sign-on.',
    description: 'Answers by the domain alone, never by whether the address has an account.',
    tags: TAGS,
    policy: LOOKUP_POLICY,
    body: LookupBody,
    otherStatuses: { 403: 'The request comes from a page of another site.' },
    reply: LookupShape,
    handle: (call) => lookUp(deps, call),
  }),
  route({
    method: 'GET',
    path: '/auth/sso/start',
    summary: 'Go to the identity provider of an organization.',
    description:
      'For browsers: answers 302 to the provider and keeps the sign-in in a cookie for ten minutes. 404 for an organization without single sign-on. Where the provider cannot be reached, 302 to the sign-in page.',
    tags: TAGS,
    policy: SIGN_IN_POLICY,
    query: StartQuery,
    reply: z.undefined(),
    status: FOUND,
    mayBeAbsent: true,
    replyHeaders: { Location: 'The provider, or the sign-in page with error=sso_failed.' },
    handle: (call) => start(deps, call),
  }),
  route({
    method: 'GET',
    path: '/auth/sso/callback',
    summary: 'Where the identity provider sends the browser back to.',
    description:
      'Answers 302 to a page of the dashboard with a one-time token in the fragment of its address, which opens the session within a minute in the same browser. Every failure is 302 to the sign-in page with error=sso_failed; the audit trail of the organization says why.',
    tags: TAGS,
    policy: SIGN_IN_POLICY,
    query: CallbackQuery,
    reply: z.undefined(),
    status: FOUND,
    replyHeaders: { Location: 'The page that opens the session, or the sign-in page with error=sso_failed.' },
    handle: (call) => comeBack(deps, call),
  }),
  route({
    method: 'POST',
    path: '/auth/sso/session',
    summary: 'Open the session of a finished single sign-on.',
    description:
      'With the token of the page that the callback led to, once, within a minute, in the same browser. The session works for the organization alone.',
    tags: TAGS,
    policy: { ...SIGN_IN_POLICY, deadlineMs: DEFAULT_DEADLINE_MS, extension: true },
    body: SsoSessionBody,
    reply: SignedIn,
    status: 201,
    handle: (call) => enter(deps, call),
  }),
];

async function lookUp(
  deps: SsoRoutesDeps,
  { request, body }: Call<undefined, undefined, typeof LookupBody>,
): Promise<LookupAnswer> {
  refuseElsewhere(deps.session, request);
  await deps.throttle.lookup(clientAddress(request));
  const domain = domainOf(mailboxOf(body.email));
  const found = await deps.sso.lookUp(domain);
  return found === undefined ? { found: false } : { found: true, organizationId: found.accountId, domain };
}

async function start(
  deps: SsoRoutesDeps,
  { request, reply, query }: Call<typeof StartQuery>,
): Promise<PreparedBody> {
  await deps.throttle.signIn(clientAddress(request));
  try {
    const linkUserId = await ownerOfSession(deps, request, query.orgId);
    const begun = await deps.sso.begin(query.orgId, { isFresh: query.fresh === 'true', linkUserId });
    if (begun === null) throw notFound('Single sign-on of organization', query.orgId);
    reply.header('set-cookie', deps.cookie.issue(begun.flow, deps.clock.now()));
    return goTo(reply, begun.url);
  } catch (error) {
    return goBack(deps, reply, error, request.id);
  }
}

/**
 * The person whose own session in this organization starts the sign-in, so that the identity is tied to them. A page of another
 * site cannot start it with their session, because `read` takes no cookie from there.
 */
async function ownerOfSession(
  { session }: SsoRoutesDeps,
  request: Call['request'],
  orgId: string,
): Promise<string | null> {
  const found = await session.signIn.read(request, { isProven: true });
  if (found.state !== 'live') return null;
  const { accountId, userId } = found.caller;
  const method = callerOf(found.caller)?.proof?.method;
  return accountId === orgId && (method === 'password' || method === 'passkey') ? userId : null;
}

async function comeBack(
  deps: SsoRoutesDeps,
  { request, reply, principal }: Call<typeof CallbackQuery>,
): Promise<PreparedBody> {
  await deps.throttle.signIn(clientAddress(request));
  try {
    const flow = deps.cookie.read(request.headers.cookie, deps.clock.now());
    if (flow?.kind !== 'flow')
      throw new SsoFailure('the browser did not start this sign-in, or too long ago');
    // The raw query string, so that the library can refuse a parameter that is sent twice.
    const sent = request.raw.url?.split('?')[1] ?? '';
    const { token, ...returned } = await deps.sso.finish(flow, sent, actorOf(principal, request));
    const { browser, expiresAtMs } = returned;
    reply.header(
      'set-cookie',
      deps.cookie.issue({ kind: 'returned', browser, expiresAtMs }, deps.clock.now()),
    );
    return goTo(reply, `${deps.webUrl}/app/sso#token=${token}`);
  } catch (error) {
    reply.header('set-cookie', deps.cookie.clear);
    return goBack(deps, reply, error, request.id);
  }
}

/** Redirects without the reason, because others may see the URL and the person could not act on the reason. */
function goBack(deps: SsoRoutesDeps, reply: FastifyReply, error: unknown, requestId: string): PreparedBody {
  if (!(error instanceof SsoFailure)) throw error;
  deps.log.warn({ reason: error.message, cause: wordsOf(error.cause), requestId }, 'sso.failed');
  return goTo(reply, `${deps.webUrl}/app/sign-in?error=sso_failed`);
}

function goTo(reply: FastifyReply, location: string): PreparedBody {
  reply
    .header('location', location)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'private, no-store');
  return NO_BODY;
}

async function enter(
  deps: SsoRoutesDeps,
  call: Call<undefined, undefined, typeof SsoSessionBody>,
): Promise<SignedIn> {
  const { request, reply, body, principal } = call;
  refuseForged(deps.session, request);
  await deps.throttle.signIn(clientAddress(request));
  const kept = deps.cookie.read(request.headers.cookie, deps.clock.now());
  // Without the cookie the token is not used up: another site may have sent it here, and its owner may still need it.
  const taken = kept?.kind === 'returned' ? await deps.sso.takeToken(body.token, kept.browser) : undefined;
  if (taken === undefined)
    throw new ServiceError(
      'Unauthorized',
      'This sign-in has ended or was started in another browser. Sign in again.',
    );
  const { accountId, userId, factors, provedAt } = taken;
  const opened = await openSession(
    deps.session,
    call,
    { accountId, userId },
    {
      actor: actorOf(principal, request),
      keyId: null,
      method: 'sso',
      factors,
      provedAtMs: provedAt.getTime(),
    },
  );
  const session = reply.getHeader('set-cookie');
  reply.header('set-cookie', [deps.cookie.clear, ...[session ?? []].flat().map(String)]);
  return opened;
}
