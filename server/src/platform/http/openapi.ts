import { BASIC_PAIR, KEY_HEADER, NOT_BEARER } from './credential-words.ts';
import { createSchemaCollector, type JsonSchema, type SchemaCollector } from './json-schema.ts';
import type { Answer, Content, Reference } from './openapi-answer.ts';
import { type Components, usedComponents } from './openapi-components.ts';
import {
  ERROR_SCHEMA,
  failureAnswers,
  failureComponents,
  headFailures,
  RATE_LIMITED_SCHEMA,
} from './openapi-failures.ts';
import { PATH_NAME, type Parameter, parametersOf } from './openapi-parameters.ts';
import { headerComponents, headSuccesses, successAnswers } from './openapi-success.ts';
import type { Policy } from './policy.ts';
import type { Route } from './route.ts';

/** The version that contract 9 rule 2 names. */
export const API_VERSION = '1.0.0';

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
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
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
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of an operator (`admin operator create`), from the addresses it is bound to.',
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
  operator: ['operatorToken'],
};

export type DescribeOptions = {
  readonly apiUrl: string;
  readonly webUrl: string;
  /** Answers to show as examples, by operation id. */
  readonly samples?: ReadonlyMap<string, unknown>;
  /** What the routes of each tag are about. */
  readonly tags?: Readonly<Record<string, string>>;
};

const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' } as const;

/** Generates OpenAPI 3.1 from the mounted route values, so that it cannot drift from them (contract 9 rule 6). */
export const describeApi = (routes: readonly Route[], options: DescribeOptions): Description =>
  describe(routes, {
    title: 'Assay',
    description: 'Reputation of IP addresses, domains, URLs, file hashes, messages and password hashes.',
    servers: [
      { url: trimmed(options.apiUrl), description: 'The API.' },
      { url: `${trimmed(options.webUrl)}/api`, description: 'The same routes for the dashboard.' },
    ],
    serversOf: (route) => serversOf(route, options),
    ...options,
  });

/** The description of the operators' listener, which has one address. */
export const describeOperatorApi = (
  routes: readonly Route[],
  options: Pick<DescribeOptions, 'tags'> & { readonly url: string },
): Description =>
  describe(routes, {
    title: "Assay, operators' routes",
    description:
      'The routes of people who run the service, on ADMIN_PORT. Without an accepted token every address answers 404.',
    servers: [{ url: trimmed(options.url), description: "The operators' listener." }],
    serversOf: () => [],
    ...options,
  });

type Listener = Pick<DescribeOptions, 'samples' | 'tags'> & {
  readonly title: string;
  readonly description: string;
  readonly servers: readonly Server[];
  /** The addresses of one route; none where those of the whole description apply. */
  readonly serversOf: (route: Route) => readonly Server[];
};

function describe(routes: readonly Route[], listener: Listener): Description {
  const { title, description, servers, tags: texts = {} } = listener;
  const schemas = createSchemaCollector();
  const paths: Record<string, Record<string, Operation>> = {};
  const tags = [...new Set(routes.flatMap((route) => route.tags))];
  // Replies come first, so that they own the plain name of a schema that is also sent (json-schema.ts).
  const replies = new Map(routes.map((route) => [route, schemas.output(route.reply)]));
  for (const route of routes) {
    const path = templateOf(route);
    paths[path] = {
      ...paths[path],
      ...operationsOf(route, schemas, replies.get(route) ?? {}, listener),
    };
  }
  const components = {
    schemas: {
      Error: ERROR_SCHEMA,
      RateLimitedError: RATE_LIMITED_SCHEMA,
      ...schemas.components(paths),
    },
    responses: failureComponents(),
    headers: headerComponents(),
    securitySchemes: SECURITY_SCHEMES,
  };
  return {
    openapi: '3.1.0',
    info: { title, version: API_VERSION, description, license: LICENSE },
    servers,
    tags: tags.map((name) => {
      const text = texts[name];
      return text === undefined ? { name } : { name, description: text };
    }),
    paths,
    components: usedComponents(components, paths),
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
  { serversOf: addresses, samples }: Listener,
): Record<string, Operation> {
  const servers = addresses(route);
  const own = {
    ...operationOf(route, schemas, reply, samples?.get(operationId(route))),
    ...(servers.length > 0 && { servers }),
  };
  if (route.method !== 'GET') return { [route.method.toLowerCase()]: own };
  const { description: _said, ...same } = own;
  const head: Operation = {
    ...same,
    operationId: own.operationId.replace(/^get/, 'head'),
    summary: `As GET, without the body: ${route.summary}`,
    responses: { ...headSuccesses(route), ...headFailures(route), ...otherAnswer(route) },
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
      ...successAnswers(route, reply, example),
      ...failureAnswers(route, schemas.output),
      ...otherAnswer(route),
    },
    'x-assay-policy': policyAsData(policy),
    ...(policy.extension === true && { 'x-assay-extension': true as const }),
  };
}

/** A redirect has no answer below 300, which every operation needs for some readers: all of its others are errors. */
const otherAnswer = ({ status = 200 }: Route): Record<string, Answer> =>
  status < 300 ? {} : { default: { description: 'Every other answer is an error.' } };

const contentOf = (types: readonly string[] | undefined, schema: JsonSchema): Content =>
  Object.fromEntries((types ?? ['application/json']).map((type) => [type, { schema }]));

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
  const { cost, costNote, receipts: _receipts, isFree: _isFree, ...data } = policy;
  const words = costNote ?? (cost === undefined ? undefined : 'computed from the input');
  return { ...data, ...(words !== undefined && { cost: words }) };
}

/** An address without slashes at its end; `/` alone is the host that the description came from. */
const trimmed = (url: string): string => (url === '/' ? url : url.replace(/(?<!\/)\/+$/, ''));
