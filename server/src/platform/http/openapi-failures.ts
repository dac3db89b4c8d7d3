import { HTTP_STATUS } from '#platform/errors.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Answer, Reference } from './openapi-answer.ts';
import type { Route } from './route.ts';
import { type FailureStatus, failureStatusesOf } from './route-statuses.ts';

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
    enum: [...new Set([...Object.keys(HTTP_STATUS), ...PARSER_ERRORS])],
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

const FAILURES: Readonly<Record<FailureStatus, readonly [name: string, meaning: string]>> = {
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
  416: ['RangeNotSatisfiable', 'The requested range begins behind the end. There is no body.'],
  422: ['UnprocessableContent', 'The content is readable but was not accepted.'],
  429: ['RateLimited', 'The burst, the monthly allowance or the guard of an address is used up.'],
  431: ['RequestHeaderFieldsTooLarge', 'The address and headers together are too long.'],
  500: ['InternalServerError', 'A failure of ours.'],
  503: ['ServiceUnavailable', 'Busy, or a dependency is unreachable. Try again after Retry-After.'],
};

/** The failures of a route by status: one with fields of its own is described in place, the others by reference. */
export function failureAnswers(
  route: Route,
  output: (schema: NonNullable<Route['refusal']>) => JsonSchema,
): Record<string, Answer | Reference> {
  return Object.fromEntries(
    failureStatusesOf(route).map((status) => {
      if (status === 416) return [status, withoutBody(FAILURES[416][1], ['Content-Range'])];
      const own = [route.failure?.schema, status === 400 ? route.refusal : undefined].flatMap((schema) =>
        schema === undefined ? [] : [output(schema)],
      );
      const meaning = meaningOf(route, status);
      if (own.length === 0 && meaning === FAILURES[status][1])
        return [status, { $ref: `#/components/responses/${FAILURES[status][0]}` }];
      if (own.length === 0) return [status, answerOf(status, sharedSchema(status), meaning)];
      const base = status === 429 ? RATE_LIMITED_SCHEMA.properties : ERROR_FIELDS;
      const schema = {
        type: 'object',
        properties: Object.assign({}, base, ...own.map(({ properties }) => properties)),
        required: ERROR_REQUIRED,
      };
      return [
        status,
        answerOf(status, schema, meaning, isBeforeRoute(status) ? undefined : route.failure?.mediaTypes),
      ];
    }),
  );
}

/** What the route says about the status itself, or what it means everywhere. */
const meaningOf = ({ otherStatuses = {} }: Route, status: FailureStatus): string =>
  (otherStatuses as Readonly<Record<number, string | undefined>>)[status] ?? FAILURES[status][1];

/** The parser of HTTP answers these before a route is known. */
const isBeforeRoute = (status: FailureStatus): boolean => status === 408 || status === 431;

/** An answer to HEAD has the status and the headers alone. */
export const headFailures = (route: Route): Record<string, Answer> =>
  Object.fromEntries(
    failureStatusesOf(route).map((status) => [status, { description: meaningOf(route, status) }]),
  );

/** The answers that several routes share; 416 has no body and is described where it occurs. */
export const failureComponents = (): Record<string, Answer> =>
  Object.fromEntries(
    (Object.keys(FAILURES).map(Number) as FailureStatus[]).flatMap((status) =>
      status === 416
        ? []
        : [[FAILURES[status][0], answerOf(status, sharedSchema(status), FAILURES[status][1])]],
    ),
  );

const sharedSchema = (status: FailureStatus): JsonSchema => ({
  $ref: `#/components/schemas/${status === 429 ? 'RateLimitedError' : 'Error'}`,
});

/** An answer that has headers alone. */
export const withoutBody = (description: string, headers: readonly string[] = []): Answer => ({
  description,
  headers: headersNamed(['X-Request-Id', ...headers]),
});

/** References to headers of the description by name. */
export const headersNamed = (names: readonly string[]): NonNullable<Answer['headers']> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const answerOf = (
  status: FailureStatus,
  schema: JsonSchema,
  description: string,
  mediaTypes: readonly string[] = ['application/json'],
): Answer => ({
  description,
  headers: headersNamed(['X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])]),
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema }])),
});
