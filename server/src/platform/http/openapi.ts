import { HTTP_STATUS } from '#platform/errors.ts';
import { LIMIT_HEADERS } from './cors.ts';
import { createSchemaCollector, type JsonSchema, type SchemaCollector } from './json-schema.ts';
import type { Policy } from './policy.ts';
import type { Route } from './route.ts';

/** Contract 9.2. */
export const API_VERSION = '1.0.0';

export type Parameter = {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
};
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;
type Reference = { readonly $ref: string };
export type Answer = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
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
  readonly 'x-assay-policy': Readonly<Record<string, unknown>>;
  readonly 'x-assay-extension'?: true;
};
export type Description = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Every error has this form; some carry more fields, named where they occur.',
  properties: {
    error: { type: 'string', description: 'What kind of failure this is.', enum: Object.keys(HTTP_STATUS) },
    message: { type: 'string', description: 'What went wrong, in a sentence for the caller.' },
    requestId: { type: 'string', description: 'Same as the X-Request-Id header; quote it when you ask.' },
    details: {
      type: 'array',
      description: 'With 400: one entry per field.',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
    retryAfter: { type: 'integer', description: 'With 429 and 503: seconds to wait.' },
  },
  required: ['error', 'message', 'requestId'],
};

const FAILURES = {
  400: ['BadRequest', 'The input is not valid.'],
  401: ['Unauthorized', 'No credential, or a wrong one.'],
  403: ['Forbidden', 'The plan, role, organization, licence, address or origin does not allow this.'],
  404: ['NotFound', 'There is no such thing, or it belongs to somebody else.'],
  409: ['Conflict', 'It does not go with what is there, or its Idempotency-Key was used for something else.'],
  413: ['PayloadTooLarge', 'The body is larger than the route accepts.'],
  415: ['UnsupportedMediaType', 'The body is of a type the route does not read.'],
  429: ['RateLimited', 'The burst, the monthly allowance or the guard of an address is used up.'],
  500: ['InternalServerError', 'A failure of ours.'],
  503: ['ServiceUnavailable', 'Busy, or something we need is away. Come back after Retry-After.'],
} as const;
type FailureStatus = keyof typeof FAILURES;

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'base64(apiKey:apiSecret). Not a Bearer token.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'User name apiKey, password apiSecret.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Secure-sid',
    description: 'The dashboard, same site only.',
  },
} as const;

const AUTH_SCHEMES: Readonly<Record<Policy['auth'], readonly string[]>> = {
  public: [],
  optional: ['', 'apiKey', 'basic', 'session'],
  key: ['apiKey', 'basic'],
  session: ['session'],
  keyOrSession: ['apiKey', 'basic', 'session'],
  signIn: ['', 'session'],
  operator: ['apiKey', 'basic'],
};

export type DescribeOptions = { readonly apiUrl: string; readonly webUrl: string };

/** OpenAPI 3.1 from the same values that are mounted, so that it cannot drift from them (contract 9.6). */
export function describeApi(routes: readonly Route[], options: DescribeOptions): Description {
  const schemas = createSchemaCollector();
  const paths: Record<string, Record<string, Operation>> = {};
  const tags = [...new Set(routes.flatMap((route) => route.tags))];
  // Answers first: they own the plain name of a shape that is also sent (json-schema.ts).
  const replies = new Map(routes.map((route) => [route, schemas.output(route.reply)]));
  for (const route of routes) {
    const path = templateOf(route);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, schemas, replies.get(route) ?? {}),
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
      schemas: { Error: ERROR_SCHEMA, ...schemas.components(paths) },
      responses: failureComponents(),
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function operationOf(route: Route, schemas: SchemaCollector, reply: JsonSchema): Operation {
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
      [String(route.status ?? 200)]: successOf(route, reply),
      ...Object.fromEntries(
        failuresOf(route).map((status) => [
          status,
          { $ref: `#/components/responses/${FAILURES[status][0]}` },
        ]),
      ),
    },
    'x-assay-policy': policyAsData(policy),
    ...(policy.extension === true && { 'x-assay-extension': true as const }),
  };
}

function successOf(route: Route, schema: JsonSchema): Answer {
  const headers = ['X-Request-Id', ...(isLimited(route.policy) ? limitHeadersOf(route.policy) : [])];
  return {
    description: route.summary,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(route.status !== 204 && { content: contentOf(producedBy(route), schema) }),
  };
}

const producedBy = ({ produces = 'application/json', alsoProduces = [] }: Route): readonly string[] => [
  produces,
  ...alsoProduces,
];

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

/** Which failures a route can have follows from its value; nobody lists them by hand. */
export function failuresOf(route: Route): FailureStatus[] {
  const { policy } = route;
  const takesInput = route.query ?? route.params ?? route.body;
  const isGuarded = policy.auth !== 'public';
  const possible: Readonly<Record<FailureStatus, boolean>> = {
    400: takesInput !== undefined,
    401: isGuarded,
    // Beyond plan and role: a key used from an address outside its allow list, a session from another site.
    403: isGuarded,
    404: route.path.includes(':') || route.mayBeAbsent === true,
    409: policy.idempotent === true,
    413: route.body !== undefined,
    415: route.body !== undefined,
    429: policy.meter !== 'none',
    500: true,
    503: true,
  };
  return (Object.keys(FAILURES).map(Number) as FailureStatus[]).filter((status) => possible[status]);
}

/** Contract 5 rule 2. */
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

/** `/cve/:id` as OpenAPI writes it. A route of the web surface alone is shown where it is, below /api. */
export const templateOf = (route: Route): string =>
  `${route.policy.surface === 'web' ? '/api' : ''}${route.path.replace(PATH_NAME, '{$1}')}`;

/** By the whole address: a path may have an answer of its own on the web host (`/check/email`). */
export const operationId = (route: Route): string =>
  [
    route.method.toLowerCase(),
    ...templateOf(route)
      .split(/[^A-Za-z0-9]+/)
      .filter((word) => word !== ''),
  ]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

/** Functions do not travel; a computed cost is named in words. */
export function policyAsData(policy: Policy): Record<string, unknown> {
  const { cost, costNote, ...data } = policy;
  return { ...data, ...(cost !== undefined && { cost: costNote ?? 'computed from the input' }) };
}

const failureComponents = (): Record<string, Answer> =>
  Object.fromEntries(
    Object.entries(FAILURES).map(([status, [name, description]]) => [
      name,
      {
        description,
        headers: Object.fromEntries(
          ['X-Request-Id', ...(status === '429' || status === '503' ? ['Retry-After'] : [])].map((header) => [
            header,
            { $ref: `#/components/headers/${header}` },
          ]),
        ),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
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
};
const TEXT_HEADERS = new Set(['X-Request-Id', 'X-RateLimit-Type', 'X-RateLimit-Plan']);

const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(HEADER_TEXT).map(([name, description]) => [
      name,
      { description, schema: { type: TEXT_HEADERS.has(name) ? 'string' : 'number' } },
    ]),
  );

const trimmed = (url: string): string => url.replace(/\/+$/, '');
