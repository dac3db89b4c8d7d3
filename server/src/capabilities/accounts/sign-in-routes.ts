import { z } from 'zod';
import {
  actorOf,
  callerOf,
  clientAddress,
  confirmSession,
  openSession,
  RECENT_PROOF_MS,
  refuseElsewhere,
  refuseForged,
  signOut,
} from '#capabilities/access/index.ts';
import type { FactorName } from '#capabilities/factors/index.ts';
import { spellPassword } from '#domain/accounts/index.ts';
import { forbidden, ServiceError } from '#platform/errors.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import { admitConfirmation, admitReset, admitSignIn, countInSession, provenTurn } from './admit-try.ts';
import {
  ConfirmBody,
  Confirmed,
  LoginAnswer,
  LoginBody,
  MailboxBody,
  mailboxOf,
  ResetBody,
  Told,
} from './contract.ts';
import type { Turn } from './hash-queue.ts';
import { type AccountsDeps, refuseBreached, refuseWithoutMail } from './open-accounts.ts';
import { FROM_ELSEWHERE, OPEN_POLICY, SESSION_POLICY, SIGN_IN_POLICY, TAGS } from './policies.ts';
import { linkEnded } from './sign-up-routes.ts';
import type { Person } from './store.ts';

/** Bytes of a body with a passkey, which takes some kilobytes with its client data. */
const PASSKEY_BODY_MAX = 32_768;

export const signInRoutes = (deps: AccountsDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in to the dashboard with an e-mail address and a password.',
    description:
      'Opens a session and sets its cookie, and one that marks the browser as a known device, whose tries are counted apart from those of others; a session that the request brings along ends. 401 with the same words for an unknown address and a wrong password. Where a second factor is set, `signedIn` is false: show it with the ticket (POST /api/auth/factor). 403 with `ssoRequired` and `organizationId` for a person whose organization enforces single sign-on; its owners may sign in with a second factor.',
    tags: TAGS,
    policy: SIGN_IN_POLICY,
    body: LoginBody,
    reply: LoginAnswer,
    handle: (call) => login(deps, call),
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    summary: 'Sign out: ends the session and clears its cookie.',
    description: 'Also 204 without a session.',
    tags: TAGS,
    policy: SIGN_IN_POLICY,
    reply: z.undefined(),
    status: 204,
    handle: async (call) => {
      await signOut(deps.session, call);
      return undefined;
    },
  }),
  route({
    method: 'POST',
    path: '/auth/forgot',
    summary: 'Ask for a letter with a link to set a new password.',
    description: 'The answer is the same for every address. 409 where the service cannot send email.',
    tags: TAGS,
    policy: OPEN_POLICY,
    body: MailboxBody,
    otherStatuses: { 403: FROM_ELSEWHERE, 409: 'The service cannot send email.' },
    reply: Told,
    handle: async ({ request, body }) => {
      refuseElsewhere(deps.session, request);
      refuseWithoutMail(deps);
      const [email, ip] = [mailboxOf(body.email), clientAddress(request)];
      await admitReset(deps, request, email);
      await deps.people.ask({ kind: 'forgot', email, ip, requestId: request.id });
      return { message: 'If this address has an account, a letter with a link is on its way to it.' };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/reset',
    summary: 'Set a new password with the token of a letter or of an invitation.',
    description:
      'Ends every session of the person and every other link. A token works once, for an hour (an invitation: three days). It opens no session: sign in with the new password.',
    tags: TAGS,
    policy: OPEN_POLICY,
    body: ResetBody,
    otherStatuses: { 403: FROM_ELSEWHERE },
    reply: Told,
    handle: (call) => reset(deps, call),
  }),
  route({
    method: 'POST',
    path: '/auth/confirm',
    summary: 'Prove again that it is you, with your password, a code or a passkey.',
    description:
      'Making and revoking keys, changing second factors and ending other sessions ask for a proof of the last ten minutes (403 with `confirmationRequired`). The session goes on under a new cookie.',
    tags: TAGS,
    policy: { ...SESSION_POLICY, bodyMax: PASSKEY_BODY_MAX },
    body: ConfirmBody,
    otherStatuses: { 409: 'The passkey or the authenticator app cannot be used here; the message says why.' },
    reply: Confirmed,
    handle: (call) => confirm(deps, call),
  }),
];

async function login(
  deps: AccountsDeps,
  call: Call<undefined, undefined, typeof LoginBody>,
): Promise<LoginAnswer> {
  const { request, body, principal } = call;
  refuseForged(deps.session, request);
  const [email, ip] = [mailboxOf(body.email), clientAddress(request)];
  const { person, turn } = await admitSignIn(deps, call, email);
  const password = spellPassword(body.password);
  const isRight = await deps.hasher.matches(password, person?.phc ?? null, turn);
  if (!isRight || person === undefined) {
    await deps.people.ask({ kind: 'sign-in-failed', email, ip, requestId: request.id });
    throw new ServiceError(
      'Unauthorized',
      'The address or the password is wrong. After a registration, open the link in our letter first.',
    );
  }
  await renewHash(deps, turn, person, password);
  const actor = actorOf(principal, request);
  // Checked after the password; before it, the answer would reveal which addresses are those of organization owners.
  await deps.session.admitOwnSignIn({ userId: person.userId, factors: null, actor, isNew: true });
  const factorNeeded = await deps.factors.needed(person.userId);
  if (factorNeeded.length > 0) {
    const { ticket, expiresAtMs } = await deps.factors.openTicket(person.userId);
    const expiresAt = new Date(expiresAtMs).toISOString();
    return { signedIn: false, factorNeeded: [...factorNeeded], ticket, expiresAt };
  }
  return openSession(
    deps.session,
    call,
    { accountId: person.userId, userId: person.userId },
    { actor, keyId: null, method: 'password', factors: ['password'] },
  );
}

/** Replaces a hash of older parameters while the password is at hand; if hashing is busy, the next sign-in does it. */
async function renewHash(
  { hasher, people }: AccountsDeps,
  turn: Turn,
  { userId, phc }: Pick<Person, 'userId' | 'phc'>,
  password: string,
): Promise<void> {
  if (phc === null || !hasher.isOutdated(phc)) return;
  try {
    await people.rehash(userId, phc, await hasher.hash(password, turn));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

async function reset(
  deps: AccountsDeps,
  { request, body, principal, signal }: Call<undefined, undefined, typeof ResetBody>,
): Promise<Told> {
  refuseElsewhere(deps.session, request);
  await deps.throttle.token(clientAddress(request));
  const password = spellPassword(body.password);
  const holder = await deps.people.userOfToken('reset', body.token);
  if (holder === null) throw linkEnded();
  refuseBreached(deps, password);
  const phc = await deps.hasher.hash(password, provenTurn(holder, signal));
  const userId = await deps.people.setPassword(body.token, phc, actorOf(principal, request));
  if (userId === null) throw linkEnded();
  return { message: 'The new password is set and every session has ended. Sign in with it.' };
}

async function confirm(
  deps: AccountsDeps,
  call: Call<undefined, undefined, typeof ConfirmBody>,
): Promise<Confirmed> {
  const { body, principal } = call;
  const shown = body.password === undefined ? [await confirmFactor(deps, call)] : [];
  if (body.password !== undefined) await confirmPassword(deps, call, body.password);
  const caller = callerOf(principal);
  if (caller === null || !(await confirmSession(deps.session, call, caller, shown)))
    throw new ServiceError('Unauthorized', 'This session has ended. Sign in again.');
  return { confirmedUntil: new Date(deps.clock.now() + RECENT_PROOF_MS).toISOString() };
}

type ConfirmCall = Call<undefined, undefined, typeof ConfirmBody>;

async function confirmPassword(deps: AccountsDeps, call: ConfirmCall, password: string): Promise<void> {
  const { principal } = call;
  const known = await deps.people.describe(principal.userId);
  const turn = await admitConfirmation(deps, call, principal, known?.person.email ?? principal.userId);
  const phc = known?.person.phc ?? null;
  if (!(await deps.hasher.matches(spellPassword(password), phc, turn)))
    throw forbidden(
      phc === null
        ? 'You have no password to confirm with. Set one with POST /api/auth/forgot, or sign in again.'
        : 'The password is wrong.',
    );
}

async function confirmFactor(
  deps: AccountsDeps,
  { request, principal, body }: ConfirmCall,
): Promise<FactorName> {
  if (!(await countInSession(deps, principal))) {
    await deps.factorThrottle.address(clientAddress(request));
    await deps.factorThrottle.shown(principal.userId, body);
  }
  const factor = await deps.factors.prove(principal.userId, body, actorOf(principal, request));
  if (factor instanceof Error)
    throw new ServiceError('Forbidden', 'The code or the passkey is wrong, or was used before.', {
      cause: factor,
    });
  return factor;
}
