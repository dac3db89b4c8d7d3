import { LIMIT_HEADERS } from './cors.ts';
import { BASIC_PAIR, KEY_HEADER, NOT_BEARER } from './credential-words.ts';
import { createSchemaCollector, type JsonSchema, type SchemaCollector } from './json-schema.ts';
import type { Answer, Content, Reference } from './openapi-answer.ts';
import {
  ERROR_SCHEMA,
  failureAnswers,
  failureComponents,
  headFailures,
  RATE_LIMITED_SCHEMA,
} from './openapi-failures.ts';
import type { Policy } from './policy.ts';
import type { Route } from './route.ts';

/** The version that contract 9 rule 2 names. */
export const API_VERSION = '1.0.0';

export type Parameter = {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
};
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: true;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  /** Set only where the servers of the whole description do not apply. */
  readonly servers?: readonly Server[];
  readonly 'x-assay-policy': Readonly<Record<string, unknown>>;
  readonly 'x-assay-extension'?: true;
};
type Server = { readonly url: string; readonly description: string };
export type Description = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: `Send ${KEY_HEADER}. ${NOT_BEARER}`,
  },
  basic: { type: 'http', scheme: 'basic', description: `Send ${BASIC_PAIR}.` },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Secure-sid',
    description: 'The session cookie of the dashboard, on same-site requests only.',
  },
} as const;

const AUTH_SCHEMES: Readonly<Record<Policy['auth'], readonly string[]>> = {
  public: [],
  optional: ['', 'apiKey', 'basic', 'session'],
  lenient: ['', 'apiKey', 'basic', 'session'],
  key: ['apiKey', 'basic'],
  session: ['session'],
  keyOrSession: ['apiKey', 'basic', 'session'],
  signIn: ['', 'session'],
  // Never described: the operators' listener has no public description.
  operator: [],
};

export type DescribeOptions = {
  readonly apiUrl: string;
  readonly webUrl: string;
  /** Answers to show as examples, by operation id. */
  readonly samples?: ReadonlyMap<string, unknown>;
};

/** Generates OpenAPI 3.1 from the mounted route values, so that it cannot drift from them (contract 9 rule 6). */
export function describeApi(routes: readonly Route[], options: DescribeOptions): Description {
  const schemas = createSchemaCollector();
  const paths: Record<string, Record<string, Operation>> = {};
  const tags = [...new Set(routes.flatMap((route) => route.tags))];
  // Replies come first, so that they own the plain name of a schema that is also sent (json-schema.ts).
  const replies = new Map(routes.map((route) => [route, schemas.output(route.reply)]));
  for (const route of routes) {
    const path = templateOf(route);
    paths[path] = {
      ...paths[path],
      ...operationsOf(route, schemas, replies.get(route) ?? {}, options),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: API_VERSION,
      description: 'Reputation of IP addresses, domains, URLs, file hashes, messages and password hashes.',
    },
    servers: [
      { url: trimmed(options.apiUrl), description: 'The API.' },
      { url: `${trimmed(options.webUrl)}/api`, description: 'The same routes for the dashboard.' },
    ],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        Error: ERROR_SCHEMA,
        RateLimitedError: RATE_LIMITED_SCHEMA,
        ...schemas.components(paths),
      },
      responses: failureComponents(),
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** A route of one surface alone has that surface's address; its path already has the `/api` of the web host. */
function serversOf({ policy: { surface } }: Route, { apiUrl, webUrl }: DescribeOptions): readonly Server[] {
  if (surface === 'api') return [{ url: trimmed(apiUrl), description: 'The API alone.' }];
  if (surface === 'web') return [{ url: trimmed(webUrl), description: 'The web host alone.' }];
  return [];
}

function operationsOf(
  route: Route,
  schemas: SchemaCollector,
  reply: JsonSchema,
  options: DescribeOptions,
): Record<string, Operation> {
  const servers = serversOf(route, options);
  const own = {
    ...operationOf(route, schemas, reply, options.samples?.get(operationId(route))),
    ...(servers.length > 0 && { servers }),
  };
  if (route.method !== 'GET') return { [route.method.toLowerCase()]: own };
  const { description: _said, ...same } = own;
  const head: Operation = {
    ...same,
    operationId: own.operationId.replace(/^get/, 'head'),
    summary: `As GET, without the body: ${route.summary}`,
    responses: {
      [String(route.status ?? 200)]: {
        description: 'The headers of the answer to GET.',
        headers: headersOf(route),
      },
      ...headFailures(route),
    },
  };
  return { get: own, head };
}

function operationOf(route: Route, schemas: SchemaCollector, reply: JsonSchema, example: unknown): Operation {
  const { policy } = route;
  const parameters = parametersOf(route, schemas);
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: route.tags,
    ...(policy.deprecated !== undefined && { deprecated: true as const }),
    security: AUTH_SCHEMES[policy.auth].map((name) => (name === '' ? {} : { [name]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body !== undefined && {
      requestBody: {
        required: !route.body.safeParse(undefined).success,
        content: contentOf(route.accepts, schemas.input(route.body)),
      },
    }),
    responses: {
      [String(route.status ?? 200)]: successOf(route, reply, example),
      ...failureAnswers(route, schemas.output),
    },
    'x-assay-policy': policyAsData(policy),
    ...(policy.extension === true && { 'x-assay-extension': true as const }),
  };
}

const successOf = (route: Route, schema: JsonSchema, example: unknown): Answer => ({
  description: route.summary,
  headers: headersOf(route),
  ...(hasBody(route) && { content: producedBy(route, schema, example) }),
});

/** An answer with status 204 and a redirect have no body. */
const hasBody = ({ status = 200 }: Route): boolean => status !== 204 && status < 300;

const headersOf = ({ policy, replyHeaders = {} }: Route): NonNullable<Answer['headers']> => ({
  ...Object.fromEntries(
    ['X-Request-Id', ...(isLimited(policy) ? limitHeadersOf(policy) : [])].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  ),
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
  [produces]: { schema, ...(example !== undefined && { example }) },
  ...Object.fromEntries(alsoProduces.map((type) => [type, { schema: otherForm(type) }])),
});

const otherForm = (type: string): JsonSchema =>
  type.startsWith('text/')
    ? { type: 'string', description: `The same content as ${type}.` }
    : { description: 'The same content as a JSON document.' };

const contentOf = (types: readonly string[] | undefined, schema: JsonSchema): Content =>
  Object.fromEntries((types ?? ['application/json']).map((type) => [type, { schema }]));

const isLimited = (policy: Policy): boolean => policy.auth !== 'public' && policy.meter !== 'none';

const limitHeadersOf = ({ meter }: Policy): string[] =>
  LIMIT_HEADERS.filter(
    (name) =>
      name.startsWith('X-RateLimit') ||
      (meter === 'checks' && name.startsWith('X-Monthly')) ||
      (meter === 'scans' && name.startsWith('X-Scan')),
  );

/** The licence header of contract 5 rule 2. */
const LICENCE_HEADER: Parameter = {
  name: 'X-License-Key',
  in: 'header',
  required: true,
  description: 'An active licence key of the account.',
  schema: { type: 'string' },
};

const IDEMPOTENCY_HEADER: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key within a day carries the request out once and answers the same again.',
  schema: { type: 'string' },
};

function parametersOf(route: Route, schemas: SchemaCollector): Parameter[] {
  const declared = route.params === undefined ? {} : propertiesOf(schemas.input(route.params)).properties;
  const inPath = pathNames(route.path).map(
    (name): Parameter => ({
      name,
      in: 'path',
      required: true,
      ...split(declared[name] ?? { type: 'string' }),
    }),
  );
  const named = [
    ...inPath,
    ...(route.policy.licence === true ? [LICENCE_HEADER] : []),
    ...(route.policy.idempotent === true ? [IDEMPOTENCY_HEADER] : []),
    ...Object.entries(route.requestHeaders ?? {}).map(
      ([name, description]): Parameter => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string' },
      }),
    ),
  ];
  if (route.query === undefined) return named;
  const { properties, required } = propertiesOf(schemas.input(route.query));
  const inQuery = Object.entries(properties).map(
    ([name, schema]): Parameter => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...split(schema),
    }),
  );
  return [...named, ...inQuery];
}

function propertiesOf(schema: JsonSchema): {
  properties: Record<string, JsonSchema>;
  required: readonly string[];
} {
  if (schema.$ref !== undefined)
    throw new Error('Give no id to a schema of query or path parameters: OpenAPI lists them one by one.');
  return {
    properties: (schema.properties ?? {}) as Record<string, JsonSchema>,
    required: (schema.required ?? []) as readonly string[],
  };
}

function split(schema: JsonSchema): { description?: string; schema: JsonSchema } {
  const { description, ...rest } = schema;
  return typeof description === 'string' ? { description, schema: rest } : { schema: rest };
}

const PATH_NAME = /:(\w+)/g;
const pathNames = (path: string): string[] => [...path.matchAll(PATH_NAME)].map(([, name = '']) => name);

/** `/cve/:id` as OpenAPI writes it. A route of the web surface alone is shown below /api. */
export const templateOf = (route: Route): string =>
  `${route.policy.surface === 'web' ? '/api' : ''}${route.path.replace(PATH_NAME, '{$1}')}`;

/** Uses the whole address: a path may have a different route on the web host (`/check/email`). */
export const operationId = (route: Route): string =>
  [
    route.method.toLowerCase(),
    ...templateOf(route)
      .split(/[^A-Za-z0-9]+/)
      .filter((word) => word !== ''),
  ]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

export function policyAsData(policy: Policy): Record<string, unknown> {
  const { cost, costNote, ...data } = policy;
  const words = costNote ?? (cost === undefined ? undefined : 'computed from the input');
  return { ...data, ...(words !== undefined && { cost: words }) };
}

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
};
const TEXT_HEADERS = new Set(['X-Request-Id', 'X-RateLimit-Type', 'X-RateLimit-Plan']);

const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(HEADER_TEXT).map(([name, description]) => [
      name,
      { description, schema: { type: TEXT_HEADERS.has(name) ? 'string' : 'number' } },
    ]),
  );

const trimmed = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
