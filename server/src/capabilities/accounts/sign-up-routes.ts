import {
  actorOf,
  clientAddress,
  openSession,
  refuseElsewhere,
  refuseForged,
  SignedIn,
} from '#capabilities/access/index.ts';
import { spellPassword } from '#domain/accounts/index.ts';
import { badRequest, ServiceError } from '#platform/errors.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import { networkTurn } from './admit-try.ts';
import { MailboxBody, mailboxOf, RegisterBody, Told, VerifyBody } from './contract.ts';
import { type AccountsDeps, refuseBreached, refuseClosed, refuseWithoutMail } from './open-accounts.ts';
import { FROM_ELSEWHERE, OPEN_POLICY, SIGN_IN_POLICY, TAGS } from './policies.ts';

const LETTER_SENT =
  'A letter is on its way to this address, if it can have an account here. Open the link in it.';

export const signUpRoutes = (deps: AccountsDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/auth/register',
    summary: 'Register with an e-mail address and a password.',
    description:
      'The answer is the same for every address; a letter to it says what happened. The account exists once the address is proven with POST /api/auth/verify. 409 where the service cannot send email.',
    tags: TAGS,
    policy: OPEN_POLICY,
    body: RegisterBody,
    otherStatuses: {
      403: 'Registration is closed here, or the request comes from a page of another site.',
      409: 'The service cannot send email.',
    },
    reply: Told,
    handle: (call) => register(deps, call),
  }),
  route({
    method: 'POST',
    path: '/auth/verify',
    summary: 'Prove the address of a registration and sign in.',
    description:
      'Takes the token of the letter and the password of the registration: a person who did not register cannot be led to complete it. A token works once, for 24 hours. Sets the session cookie.',
    tags: TAGS,
    policy: SIGN_IN_POLICY,
    body: VerifyBody,
    reply: SignedIn,
    status: 201,
    handle: (call) => verify(deps, call),
  }),
  route({
    method: 'POST',
    path: '/auth/resend-verification',
    summary: 'Ask for the letter of a registration again.',
    description: 'Always 200 with the same words. The link of an earlier letter stops working.',
    tags: TAGS,
    policy: { ...OPEN_POLICY, surface: 'both', extension: false },
    body: MailboxBody,
    otherStatuses: { 403: FROM_ELSEWHERE },
    reply: Told,
    handle: async ({ request, body }) => {
      refuseElsewhere(deps.session, request);
      const [email, ip] = [mailboxOf(body.email), clientAddress(request)];
      await deps.throttle.letter(ip, email);
      if (deps.canSendLetters) await deps.people.ask({ kind: 'resend', email, ip, requestId: request.id });
      return { message: LETTER_SENT };
    },
  }),
];

async function register(
  deps: AccountsDeps,
  { request, body, signal }: Call<undefined, undefined, typeof RegisterBody>,
): Promise<Told> {
  refuseElsewhere(deps.session, request);
  refuseClosed(deps);
  refuseWithoutMail(deps);
  const [email, ip] = [mailboxOf(body.email), clientAddress(request)];
  await deps.throttle.letter(ip, email);
  const password = spellPassword(body.password);
  refuseBreached(deps, password);
  const phc = await deps.hasher.hash(password, networkTurn('registration', { request, signal }));
  await deps.people.ask({ kind: 'register', email, phc, ip, requestId: request.id });
  return { message: LETTER_SENT };
}

async function verify(
  deps: AccountsDeps,
  call: Call<undefined, undefined, typeof VerifyBody>,
): Promise<SignedIn> {
  const { request, body, principal } = call;
  refuseForged(deps.session, request);
  await deps.throttle.token(clientAddress(request));
  const waiting = await deps.people.registrationOf(body.token);
  if (waiting === undefined) throw linkEnded();
  await deps.throttle.registration(body.token);
  const turn = networkTurn('open', call);
  if (!(await deps.hasher.matches(spellPassword(body.password), waiting.phc, turn)))
    throw new ServiceError('Unauthorized', 'This is not the password that was chosen at registration.');
  const actor = actorOf(principal, request);
  const userId = await deps.people.completeRegistration(body.token, actor);
  if (userId === null) throw linkEnded();
  return openSession(
    deps.session,
    call,
    { accountId: userId, userId },
    { actor, keyId: null, method: 'password', factors: ['password'] },
  );
}

export const linkEnded = (): ServiceError =>
  badRequest('This link was used, has expired or is not whole. Ask for a new letter.');
