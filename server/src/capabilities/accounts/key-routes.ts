import { z } from 'zod';
import {
  actorOf,
  clientAddress,
  openSession,
  type RevealedKey,
  refuseElsewhere,
  refuseForged,
} from '#capabilities/access/index.ts';
import { spellPassword } from '#domain/accounts/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { PLAN_LIMITS } from '#domain/plans/plans.ts';
import { badRequest, ServiceError } from '#platform/errors.ts';
import { type Call, NO_BODY, type Route, route } from '#platform/http/route.ts';
import { networkTurn } from './admit-try.ts';
import { ClaimedKey, ClaimQuery, InstantKey, MailboxBody, mailboxOf, ResetBody } from './contract.ts';
import { INSTANT_CHECKS_PER_MONTH } from './create-instant-key.ts';
import { type AccountsDeps, refuseBreached, refuseClosed } from './open-accounts.ts';
import { OPEN_POLICY, SIGN_IN_POLICY } from './policies.ts';
import { linkEnded } from './sign-up-routes.ts';
import { linkTo } from './tokens.ts';

const TAGS = ['Keys'];
const SEE_OTHER = 303;
const INSTANT_BURST_PER_MINUTE = PLAN_LIMITS.FREE.burstPerMinute;

export const keyRoutes = (deps: AccountsDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/keys/instant',
    summary: 'A key pair for an e-mail address, at once.',
    description:
      'The pair has 50 checks a month until the owner of the address claims it with the link of a letter. 409 for an address that has an account; 429 from the fourth key of a client address in a UTC day.',
    tags: TAGS,
    policy: { ...OPEN_POLICY, extension: false },
    accepts: ['application/json', 'application/x-www-form-urlencoded'],
    body: MailboxBody,
    otherStatuses: {
      403: 'Registration is closed here, or the request comes from a page of another site.',
      409: 'The email address has an account; `loginUrl` is where to sign in.',
    },
    reply: InstantKey,
    status: 201,
    handle: (call) => makeInstant(deps, call),
  }),
  route({
    method: 'GET',
    path: '/auth/claim',
    summary: 'The page where an instant key is claimed.',
    description: 'Answers 303 to the page of the dashboard, with the token in the fragment of its address.',
    tags: TAGS,
    policy: { ...OPEN_POLICY, extension: false },
    query: ClaimQuery,
    reply: z.undefined(),
    status: SEE_OTHER,
    replyHeaders: { Location: 'The page of the dashboard.' },
    handle: ({ query, reply }) => {
      reply
        .header('location', linkTo(deps.config.PUBLIC_WEB_URL, 'claim', query.token))
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'private, no-store');
      return NO_BODY;
    },
  }),
  route({
    method: 'POST',
    path: '/auth/claim',
    summary: 'Claim the account of an instant key: set a password and get a new secret.',
    description:
      'The old secret, keys made with it and their sessions end at once. The account has the limits of the FREE plan from here on. A token works once, for three days. Sets the session cookie.',
    tags: TAGS,
    policy: { ...SIGN_IN_POLICY, extension: false },
    body: ResetBody,
    reply: ClaimedKey,
    handle: (call) => claim(deps, call),
  }),
];

async function makeInstant(
  deps: AccountsDeps,
  { request, body, principal }: Call<undefined, undefined, typeof MailboxBody>,
): Promise<InstantKey> {
  refuseElsewhere(deps.session, request);
  refuseClosed(deps);
  const email = mailboxOf(body.email);
  if (isThrowaway(deps, email))
    throw badRequest(
      'email: This address is of a service for throwaway mailboxes. Send one that you will keep.',
    );
  const address = clientAddress(request);
  // The 409 reveals that an address has an account, so these requests count against the limits for letters.
  await deps.throttle.letter(address, email);
  if ((await deps.people.find(email)) !== undefined) throw hasAccount(deps);
  await deps.throttle.instantKey(address);
  const key = await deps.people.createInstantKey(email, actorOf(principal, request));
  if (key === null) throw hasAccount(deps);
  const base = deps.config.PUBLIC_API_URL.replace(/(?<!\/)\/+$/, '');
  return {
    ...pairOf(key),
    quota: { requestsPerMonth: INSTANT_CHECKS_PER_MONTH, burst: INSTANT_BURST_PER_MINUTE },
    example: `curl -H 'X-API-KEY: ${key.credential}' '${base}/check?query=8.8.8.8'`,
    account: {
      id: key.accountId,
      email,
      isClaimed: false,
      claim: deps.canSendLetters
        ? 'Open the link in the letter to this address within three days: it sets a password, a new secret and the limits of people who register.'
        : 'This service sends no letters. Ask its operator for a link that sets your password.',
    },
    docs: `${base}/docs`,
  };
}

/** Whether the mailbox is of a throwaway service. A host that is no public domain is in the operator's network. */
function isThrowaway({ isDisposable }: AccountsDeps, email: string): boolean {
  const parsed = parseIndicator(email.slice(email.lastIndexOf('@') + 1));
  return parsed.ok && parsed.indicator.kind === 'domain' && isDisposable(parsed.indicator);
}

const hasAccount = ({ config }: AccountsDeps): ServiceError => {
  const loginUrl = `${config.PUBLIC_WEB_URL.replace(/(?<!\/)\/+$/, '')}/app/sign-in`;
  return new ServiceError('Conflict', `This address has an account. Sign in at ${loginUrl} to make a key.`, {
    body: { loginUrl },
  });
};

async function claim(
  deps: AccountsDeps,
  call: Call<undefined, undefined, typeof ResetBody>,
): Promise<ClaimedKey> {
  const { request, body, principal } = call;
  refuseForged(deps.session, request);
  await deps.throttle.token(clientAddress(request));
  const password = spellPassword(body.password);
  if ((await deps.people.userOfToken('claim', body.token)) === null) throw linkEnded();
  refuseBreached(deps, password);
  const phc = await deps.hasher.hash(password, networkTurn('open', call));
  const actor = actorOf(principal, request);
  const claimed = await deps.people.claim(body.token, phc, actor);
  if (claimed === null) throw linkEnded();
  const { userId, key } = claimed;
  const limits = PLAN_LIMITS[deps.config.DEFAULT_PLAN];
  const by = { actor, keyId: null, method: 'password', factors: ['password'] } as const;
  try {
    await openSession(deps.session, call, { accountId: userId, userId }, by);
  } catch (error) {
    // A refused sign-in, as of people who must use single sign-on, is no failure: the new secret is shown only now.
    if (!(error instanceof ServiceError) || error.code !== 'Forbidden') throw error;
  }
  return {
    ...pairOf(key),
    quota: { requestsPerMonth: limits.checksPerMonth, burst: limits.burstPerMinute },
    account: { id: userId },
  };
}

const pairOf = ({ apiKey, apiSecret, credential }: RevealedKey) => ({
  apiKey,
  apiSecret,
  authHeader: `X-API-KEY: ${credential}`,
});
