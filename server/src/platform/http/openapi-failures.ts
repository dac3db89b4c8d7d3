import { HTTP_STATUS } from '#platform/errors.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Answer, Reference } from './openapi-answer.ts';
import type { Route } from './route.ts';

/** Written by the parser of HTTP, before a route is known (client-error.ts). */
const PARSER_ERRORS = ['Request Timeout', 'Request Header Fields Too Large'];

const fields = (named: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties: named,
});
const text = (description: string): JsonSchema => ({ type: 'string', description });
const integer = (description: string): JsonSchema => ({ type: 'integer', description });
const time = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });

const ERROR_FIELDS: Readonly<Record<string, JsonSchema>> = {
  error: {
    type: 'string',
    description: 'What kind of failure this is.',
    enum: [...Object.keys(HTTP_STATUS), ...PARSER_ERRORS],
  },
  message: text('What went wrong, in a sentence for the caller.'),
  requestId: text('Same as the X-Request-Id header; quote it when you ask.'),
  details: {
    type: 'array',
    description: 'With 400: one entry per field.',
    items: {
      ...fields({ path: text('The field.'), message: text('What is wanted, and what came.') }),
      required: ['path', 'message'],
    },
  },
  retryAfter: integer('With 429 and 503: seconds to wait.'),
};
const ERROR_REQUIRED = ['error', 'message', 'requestId'];

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Every error has this form; some carry more fields, named where they occur.',
  properties: ERROR_FIELDS,
  required: ERROR_REQUIRED,
};

/** The forms of 429 of decisions 1.5 in one: which fields are there depends on the limit that was reached. */
export const RATE_LIMITED_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'An error that says which limit was reached and when it ends.',
  properties: {
    ...ERROR_FIELDS,
    plan: text('The plan that sets the limit; ANONYMOUS for a limit by address.'),
    rateLimit: {
      ...fields({
        limit: integer('Requests per minute.'),
        remaining: integer('0.'),
        resetAt: time('When the whole burst is there again.'),
      }),
      description: 'With the burst and with limits by address.',
    },
    usage: {
      description: 'With the month: what was used and the limit. With scans: the number that was used.',
      anyOf: [
        fields({ current: integer('Used this month.'), limit: integer('Per month.') }),
        { type: 'integer' },
      ],
    },
    limit: integer('With scans: per month.'),
    resetsAt: time('With the month and with scans: when they start again.'),
    upgradeRequired: { type: 'boolean', description: 'A larger plan would allow this now.' },
    billingIssue: { type: 'boolean', description: 'With scans: the subscription is suspended.' },
    docs: text('With scans: the chapter of the reference about limits.'),
    cta: {
      type: 'object',
      description:
        'With scans: the next step for the caller, as data. `href` is there only where the operator has named a page.',
      properties: {},
      additionalProperties: {},
    },
  },
  required: ERROR_REQUIRED,
};

const FAILURES = {
  400: ['BadRequest', 'The input is not valid.'],
  401: ['Unauthorized', 'No credential, or a wrong one.'],
  403: ['Forbidden', 'The plan, role, organization, licence, address or origin does not allow this.'],
  404: ['NotFound', 'It does not exist, or it belongs to another account.'],
  408: ['RequestTimeout', 'The request did not arrive in time. The connection is closed.'],
  409: [
    'Conflict',
    'It conflicts with the current state, or its Idempotency-Key was used for another request.',
  ],
  413: ['PayloadTooLarge', 'The body is larger than the route accepts.'],
  415: ['UnsupportedMediaType', 'The body is of a type the route does not read.'],
  429: ['RateLimited', 'The burst, the monthly allowance or the guard of an address is used up.'],
  431: ['RequestHeaderFieldsTooLarge', 'The address and headers together are too long.'],
  500: ['InternalServerError', 'A failure of ours.'],
  503: ['ServiceUnavailable', 'Busy, or a dependency is unreachable. Try again after Retry-After.'],
} as const;
type FailureStatus = keyof typeof FAILURES;

function failuresOf(route: Route): FailureStatus[] {
  const { policy } = route;
  const takesInput = route.query ?? route.params ?? route.body;
  const isGuarded = policy.auth !== 'public' && policy.auth !== 'lenient';
  const possible: Readonly<Record<FailureStatus, boolean>> = {
    400: takesInput !== undefined,
    401: isGuarded,
    // 403 is possible even without plan and role: a key used outside its allow list, or a session from another site.
    403: isGuarded,
    404: route.path.includes(':') || route.mayBeAbsent === true,
    408: true,
    409: policy.idempotent === true,
    413: route.body !== undefined,
    415: route.body !== undefined,
    429: policy.meter !== 'none',
    431: true,
    500: true,
    503: true,
  };
  return (Object.keys(FAILURES).map(Number) as FailureStatus[]).filter((status) => possible[status]);
}

/** The failures of a route by status: one with fields of its own is described in place, the others by reference. */
export function failureAnswers(
  route: Route,
  output: (schema: NonNullable<Route['refusal']>) => JsonSchema,
): Record<string, Answer | Reference> {
  return Object.fromEntries(
    failuresOf(route).map((status) => {
      const own = [route.failure?.schema, status === 400 ? route.refusal : undefined].flatMap((schema) =>
        schema === undefined ? [] : [output(schema)],
      );
      if (own.length === 0) return [status, { $ref: `#/components/responses/${FAILURES[status][0]}` }];
      const base = status === 429 ? RATE_LIMITED_SCHEMA.properties : ERROR_FIELDS;
      const schema = {
        type: 'object',
        properties: Object.assign({}, base, ...own.map(({ properties }) => properties)),
        required: ERROR_REQUIRED,
      };
      return [
        status,
        answerOf(status, schema, isBeforeRoute(status) ? undefined : route.failure?.mediaTypes),
      ];
    }),
  );
}

/** The parser of HTTP answers these before a route is known. */
const isBeforeRoute = (status: FailureStatus): boolean => status === 408 || status === 431;

/** An answer to HEAD has the status and the headers alone. */
export const headFailures = (route: Route): Record<string, Answer> =>
  Object.fromEntries(failuresOf(route).map((status) => [status, { description: FAILURES[status][1] }]));

export const failureComponents = (): Record<string, Answer> =>
  Object.fromEntries(
    (Object.keys(FAILURES).map(Number) as FailureStatus[]).map((status) => [
      FAILURES[status][0],
      answerOf(status, {
        $ref: `#/components/schemas/${status === 429 ? 'RateLimitedError' : 'Error'}`,
      }),
    ]),
  );

const answerOf = (
  status: FailureStatus,
  schema: JsonSchema,
  mediaTypes: readonly string[] = ['application/json'],
): Answer => ({
  description: FAILURES[status][1],
  headers: Object.fromEntries(
    ['X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])].map((header) => [
      header,
      { $ref: `#/components/headers/${header}` },
    ]),
  ),
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema }])),
});
