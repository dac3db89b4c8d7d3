import { actorOf, clientAddress, openSession, refuseForged, SignedIn } from '#capabilities/access/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import { AssertionOptions, FactorBody, PasskeySignInBody } from './contract.ts';
import type { FactorRoutesDeps } from './open-factor-routes.ts';
import { SIGN_IN_POLICY, TAGS } from './policies.ts';

export const factorSignInRoutes = (deps: FactorRoutesDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/auth/passkey/options',
    summary: 'Ask for a challenge to show a passkey with.',
    description:
      'For signing in, for POST /api/auth/factor and for POST /api/auth/confirm. The challenge works once, for five minutes. 409 where PUBLIC_WEB_URL is an address at which browsers offer no passkeys.',
    tags: TAGS,
    policy: SIGN_IN_POLICY,
    otherStatuses: { 409: 'Browsers offer no passkeys at the address of this dashboard.' },
    reply: AssertionOptions,
    handle: async ({ request }) => {
      refuseForged(deps.session, request);
      await deps.throttle.address(clientAddress(request));
      return deps.factors.offerAssertion();
    },
  }),
  route({
    method: 'POST',
    path: '/auth/passkey',
    summary: 'Sign in to the dashboard with a passkey alone.',
    description: 'Opens a session and sets its cookie; a session that the request brings along ends.',
    tags: TAGS,
    policy: SIGN_IN_POLICY,
    body: PasskeySignInBody,
    otherStatuses: { 409: 'Browsers offer no passkeys at the address of this dashboard.' },
    reply: SignedIn,
    handle: (call) => signInWithPasskey(deps, call),
  }),
  route({
    method: 'POST',
    path: '/auth/factor',
    summary: 'Show the second factor that a sign-in with a password asked for.',
    description:
      'Opens a session and sets its cookie. The ticket of POST /api/auth/login opens one session, within five minutes and five tries. 401 when the factor is wrong or the ticket has ended.',
    tags: TAGS,
    policy: SIGN_IN_POLICY,
    body: FactorBody,
    otherStatuses: { 409: 'The passkey or the authenticator app cannot be used here; the message says why.' },
    reply: SignedIn,
    handle: (call) => showFactor(deps, call),
  }),
];

async function signInWithPasskey(
  deps: FactorRoutesDeps,
  call: Call<undefined, undefined, typeof PasskeySignInBody>,
): Promise<SignedIn> {
  const { request, body, principal } = call;
  refuseForged(deps.session, request);
  await deps.throttle.address(clientAddress(request));
  const actor = actorOf(principal, request);
  const userId = await deps.factors.whoHolds(body.passkey, actor);
  if (userId instanceof Error)
    throw new ServiceError(
      'Unauthorized',
      'This passkey was not accepted. Try again, or sign in with your password.',
      {
        cause: userId,
      },
    );
  return openSession(
    deps.session,
    call,
    { accountId: userId, userId },
    { actor, keyId: null, method: 'passkey', factors: ['passkey'] },
  );
}

async function showFactor(
  deps: FactorRoutesDeps,
  call: Call<undefined, undefined, typeof FactorBody>,
): Promise<SignedIn> {
  const { request, body, principal } = call;
  const { ticket, ...shown } = body;
  refuseForged(deps.session, request);
  await deps.throttle.address(clientAddress(request));
  const userId = await deps.factors.tryTicket(ticket);
  if (userId === null) throw ticketEnded();
  await deps.throttle.shown(userId, shown);
  const actor = actorOf(principal, request);
  const factor = await deps.factors.prove(userId, shown, actor);
  if (factor instanceof Error)
    throw new ServiceError('Unauthorized', 'The second factor is wrong or was used before. Try again.', {
      cause: factor,
    });
  if (!(await deps.factors.takeTicket(ticket))) throw ticketEnded();
  return openSession(
    deps.session,
    call,
    { accountId: userId, userId },
    { actor, keyId: null, method: 'password', factors: ['password', factor] },
  );
}

const ticketEnded = (): ServiceError =>
  new ServiceError('Unauthorized', 'This sign-in has ended. Sign in with your password again.');
