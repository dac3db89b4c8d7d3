import { type ServiceError, unavailable } from '#platform/errors.ts';
import { isUnchanged } from '#platform/http/conditional.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import {
  type Call,
  NO_BODY,
  type PreparedBody,
  preparedBody,
  type Route,
  route,
} from '#platform/http/route.ts';
import { PREFIX_DIGITS } from './bucket.ts';
import { PasswordBody, PasswordRange, PasswordVerdict, RangeParams, RangeQuery } from './contract.ts';
import { judgePassword } from './judge-password.ts';
import { NoAnswer, type Passwords } from './open-passwords.ts';

export type PasswordsDeps = { readonly passwords: Pick<Passwords, 'isAnswered' | 'lookUp' | 'range'> };

const TAGS = ['Passwords'];
/** A call with a key is answered for that key alone; the same bytes for everybody else may stay in caches for a day. */
const ANONYMOUS_CACHE = 'public, max-age=86400';
const VARY = 'add-padding, authorization, cookie, origin, x-api-key';
const JSON_TYPE = 'application/json; charset=utf-8';
const RETRY_AFTER_S = 300;

/** One check of the month; a call that will be answered with 503 costs nothing (trap 56). */
const policyOf = (isAnswered: NonNullable<Policy['cost']>): Policy => ({
  ...KEYED,
  surface: 'web',
  meter: 'checks',
  class: 'B',
  cost: isAnswered,
  costNote: '1; 0 where the corpus has no answer (503)',
});

export const passwordsRoutes = ({ passwords }: PasswordsDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/check/password',
    summary: 'Was a password with this hash seen in a breach?',
    description:
      'Takes a hash, never a password. Nothing of it is stored, cached or logged. 503 until the list is loaded, and for prefixes that a partial list does not have.',
    tags: TAGS,
    policy: policyOf(({ body }) => {
      const { type, value } = body as PasswordBody;
      return Number(passwords.isAnswered(type, value.slice(0, PREFIX_DIGITS)));
    }),
    body: PasswordBody,
    reply: PasswordVerdict,
    handle: ({ body: { type, value } }) => answered(() => judgePassword(passwords.lookUp(type, value))),
  }),
  route({
    method: 'GET',
    path: '/pwned-passwords/range/:prefix',
    summary: 'All breached password hashes that begin with these five digits.',
    description:
      'Compare digits 6 to 17 of your hash with each `suffix`; the service does not learn which one you have. Without credentials 10 calls an hour and 50 a month for each address. 503 until the list is loaded, and for prefixes that a partial list does not have.',
    tags: TAGS,
    policy: {
      ...policyOf(({ params, query }) =>
        Number(
          passwords.isAnswered((query as RangeQuery).mode, (params as { readonly prefix: string }).prefix),
        ),
      ),
      auth: 'optional',
    },
    params: RangeParams,
    query: RangeQuery,
    requestHeaders: {
      'Add-Padding':
        'true: entries with a count of 0 are added, so that all answers of a list are equally long and the length of an encrypted answer does not tell the prefix. An extension.',
    },
    conditional: true,
    reply: PasswordRange,
    handle: (call) => answered(() => range(passwords, call)),
  }),
];

function range(
  passwords: Pick<Passwords, 'range'>,
  { params, query, principal, request, reply }: Call<typeof RangeQuery, typeof RangeParams>,
): PreparedBody {
  const isPadded = request.headers['add-padding']?.toString().trim().toLowerCase() === 'true';
  const { etag, bytes } = passwords.range(query.mode, params.prefix, isPadded);
  reply.header('vary', VARY);
  const isAnonymous = principal.kind === 'anonymous';
  if (isAnonymous && isUnchanged({ request, reply }, etag, ANONYMOUS_CACHE)) return NO_BODY;
  reply.header('content-type', JSON_TYPE);
  return preparedBody(bytes());
}

/** Turns NoAnswer into a refusal: without an answer a hash is never reported as "not found" (decisions O41). */
function answered<T>(answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    throw error instanceof NoAnswer ? refusalOf(error) : error;
  }
}

const SENTENCES: Readonly<Record<NoAnswer['reason'], string>> = {
  'not-loaded': 'The list of breached passwords is not loaded on this node.',
  'not-covered': 'Only a part of the list of breached passwords is loaded on this node, and not this prefix.',
  damaged: 'The list of breached passwords cannot be read on this node.',
};

const refusalOf = ({ reason }: NoAnswer): ServiceError => unavailable(SENTENCES[reason], RETRY_AFTER_S);
