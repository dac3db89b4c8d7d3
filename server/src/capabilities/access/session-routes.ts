import { z } from 'zod';
import { DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import { actorOf } from './audit.ts';
import { SessionState, SignedIn, SignInBody } from './contract.ts';
import { describeSession, type OpenSessionDeps, openSession, refuseForged, signOut } from './open-session.ts';

export type SessionRoutesDeps = OpenSessionDeps;

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
    // Signing in writes rows: the address guard limits valid pairs, AUTH_FAILURES_PER_MINUTE also limits wrong ones.
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
    handle: async (call) => {
      await signOut(deps, call);
      return undefined;
    },
  }),
];

type SignInCall = Call<undefined, undefined, typeof SignInBody>;

async function signIn(deps: SessionRoutesDeps, call: SignInCall): Promise<SignedIn> {
  refuseForged(deps, call.request);
  const caller = await deps.signIn.confirmPair(call.request, call.body);
  return openSession(deps, call, caller, { actor: actorOf(caller, call.request), keyId: caller.keyId });
}
