import { LIMIT_HEADERS } from './cors.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Answer, Content } from './openapi-answer.ts';
import { headersNamed, withoutBody } from './openapi-failures.ts';
import type { Policy } from './policy.ts';
import type { Route } from './route.ts';
import { successStatusesOf } from './route-statuses.ts';

/** What an answer below 400 means where the route does not say it. */
const MEANINGS: Readonly<Record<number, string>> = {
  206: 'The requested range of bytes.',
  304: 'The version that If-None-Match names is still the current one. There is no body.',
};

/** The answers of a route below 400, by status. All with a body have the one of the reply schema. */
export const successAnswers = (route: Route, schema: JsonSchema, example: unknown): Record<string, Answer> =>
  Object.fromEntries(
    successStatusesOf(route).map((status) => [String(status), answerOf(route, status, schema, example)]),
  );

/** The same answers to HEAD, which has the headers alone. */
export const headSuccesses = (route: Route): Record<string, Answer> =>
  Object.fromEntries(
    successStatusesOf(route).map((status) => [
      String(status),
      status === usualOf(route)
        ? { description: 'The headers of the answer to GET.', headers: headersOf(route) }
        : withoutContent(answerOf(route, status, {}, undefined)),
    ]),
  );

function answerOf(route: Route, status: number, schema: JsonSchema, example: unknown): Answer {
  const description = meaningOf(route, status);
  if (status === 304) return withoutBody(description, ['ETag']);
  const ofStatus = status === 206 ? headersNamed(['Content-Range']) : {};
  return {
    description,
    headers: { ...headersOf(route), ...ofStatus },
    ...(hasBody(status) && {
      content: producedBy(route, schema, status === usualOf(route) ? example : undefined),
    }),
  };
}

const usualOf = ({ status = 200 }: Route): number => status;

const meaningOf = (route: Route, status: number): string =>
  (route.otherStatuses as Readonly<Record<number, string | undefined>> | undefined)?.[status] ??
  MEANINGS[status] ??
  route.summary;

/** An answer with status 204 and a redirect have no body. */
const hasBody = (status: number): boolean => status !== 204 && status < 300;

const withoutContent = ({ description, headers }: Answer): Answer => ({
  description,
  ...(headers !== undefined && { headers }),
});

const headersOf = ({
  policy,
  replyHeaders = {},
  conditional,
  ranges,
}: Route): NonNullable<Answer['headers']> => ({
  ...headersNamed([
    'X-Request-Id',
    ...(isLimited(policy) ? limitHeadersOf(policy) : []),
    ...(conditional === true ? ['ETag'] : []),
    ...(ranges === true ? ['Accept-Ranges'] : []),
  ]),
  ...Object.fromEntries(
    Object.entries(replyHeaders).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  ),
});

/** The reply schema describes the first media type. The others are a text, or a document that the route's words describe. */
const producedBy = (
  { produces = 'application/json', alsoProduces = [] }: Route,
  schema: JsonSchema,
  example: unknown,
): Content => ({
  [produces]: {
    schema,
    ...(example !== undefined &&
      (produces.startsWith('text/event-stream') ? { 'x-assay-sample': example } : { example })),
  },
  ...Object.fromEntries(alsoProduces.map((type) => [type, { schema: otherForm(type) }])),
});

const otherForm = (type: string): JsonSchema =>
  type.startsWith('text/')
    ? { type: 'string', description: `The same content as ${type}.` }
    : { description: 'The same content as a JSON document.' };

const isLimited = (policy: Policy): boolean => policy.auth !== 'public' && policy.meter !== 'none';

const limitHeadersOf = ({ meter }: Policy): string[] =>
  LIMIT_HEADERS.filter(
    (name) =>
      name.startsWith('X-RateLimit') ||
      (meter === 'checks' && name.startsWith('X-Monthly')) ||
      (meter === 'scans' && name.startsWith('X-Scan')),
  );

const HEADER_TEXT: Readonly<Record<string, string>> = {
  'X-Request-Id': 'Names this request in our log.',
  'X-RateLimit-Limit': 'Requests per minute.',
  'X-RateLimit-Remaining': 'Requests left in the burst.',
  'X-RateLimit-Reset': 'When the whole burst is there again, in milliseconds since the epoch.',
  'X-RateLimit-Type': 'Which limit these headers describe.',
  'X-RateLimit-Plan': 'The plan that sets it.',
  'X-Monthly-Usage': 'Checks spent this calendar month (UTC).',
  'X-Monthly-Limit': 'Checks per calendar month.',
  'X-Monthly-Percentage': 'Usage in percent of the limit.',
  'X-Scan-Usage': 'Scans spent this calendar month (UTC).',
  'X-Scan-Limit': 'Scans per calendar month.',
  'Retry-After': 'Seconds to wait.',
  ETag: 'The version of the answer. Send it as If-None-Match the next time.',
  'Accept-Ranges': '`bytes`: a part can be requested with Range.',
  'Content-Range': 'Which bytes these are, and how many the whole answer has.',
};
const NUMBER_HEADERS = /^X-(?:RateLimit-(?:Limit|Remaining|Reset)|Monthly|Scan)|^Retry-After$/;

/** The headers that several answers share. */
export const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(HEADER_TEXT).map(([name, description]) => [
      name,
      { description, schema: { type: NUMBER_HEADERS.test(name) ? 'number' : 'string' } },
    ]),
  );
