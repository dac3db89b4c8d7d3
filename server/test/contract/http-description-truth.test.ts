import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Description, Operation } from '#platform/http/openapi.ts';
import type { Answer } from '#platform/http/openapi-answer.ts';
import type { ServiceAccount } from '#test/service-accounts.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';

let shared: SharedService;
let free: ServiceAccount;
let description: Description;

beforeAll(async () => {
  shared = await sharedService('http-description-truth');
  free = await shared.accounts.newAccount('free@example.com', { plan: 'FREE' });
  description = (await (
    await fetch(`${shared.service.url}/openapi.json`, { headers: shared.fromHere })
  ).json()) as Description;
});
afterAll(() => shared?.stop());

type Sent = {
  readonly path: string;
  /** The path as the OpenAPI description writes it, where it differs from the requested one. */
  readonly template?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const call = (
  method: string,
  { path, query = '', body, type, headers }: Sent,
  by = shared.account,
): Promise<Response> =>
  fetch(`${shared.service.url}${path}${query}`, {
    method,
    headers: {
      'X-API-KEY': by.credential,
      ...(body === undefined ? {} : { 'Content-Type': type ?? 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

function resolved<T>(value: T | { readonly $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], description);
  return resolved(found as T);
}

/** The description's entry for this status of the operation; throws when there is none. */
function answerOf(operation: Operation | undefined, status: number): Answer {
  const answer = operation?.responses[String(status)];
  if (answer === undefined) throw new Error(`${operation?.operationId} is not described with ${status}.`);
  return resolved<Answer>(answer);
}

/** Expects the description to have the status, the media type, the limit headers and every field of the body. */
async function expectDescribed(method: string, path: string, answer: Response): Promise<void> {
  const said = answerOf(description.paths[path]?.[method.toLowerCase()], answer.status);
  const body = await answer.text();
  for (const name of [...answer.headers.keys()].filter((each) =>
    /^(?:x-ratelimit|x-monthly|retry-after)/.test(each),
  ))
    if (answer.ok) expect(Object.keys(said.headers ?? {}).map((each) => each.toLowerCase())).toContain(name);
  if (method === 'HEAD') {
    expect(said.content).toBeUndefined();
    expect(body).toBe('');
    return;
  }
  if (answer.status === 304) {
    expect([said.content, body, Object.keys(said.headers ?? {})]).toEqual([
      undefined,
      '',
      expect.arrayContaining(['ETag']),
    ]);
    return;
  }
  const type = (answer.headers.get('content-type') ?? '').replace(/;.*$/, '');
  expect(Object.keys(said.content ?? {})).toContain(type);
  const schema = resolved<Record<string, unknown>>(said.content?.[type]?.schema ?? {});
  if (type !== 'application/json') expect(schema.type).toBe('string');
  // A file in JSON form is described in words, without fields to compare.
  else if (schema.type !== undefined || schema.properties !== undefined) {
    const sent = JSON.parse(body) as Record<string, unknown>;
    expect(Object.keys((schema.properties ?? {}) as object)).toEqual(
      expect.arrayContaining(Object.keys(sent)),
    );
    for (const name of (schema.required ?? []) as string[]) expect(sent, name).toHaveProperty(name);
  }
}

const over = Array.from({ length: 40_000 }, (_, nth) => `${nth}.example.com`);

test.each<readonly [number, string, Sent]>([
  [200, 'GET', { path: '/check', query: '?query=example.com' }],
  [200, 'HEAD', { path: '/check', query: '?query=example.com' }],
  [400, 'HEAD', { path: '/threat-intel/history' }],
  [200, 'POST', { path: '/bulk/check', body: { entities: ['example.com'] } }],
  [200, 'POST', { path: '/bulk/check', body: { entities: ['example.com'], format: 'csv' } }],
  [200, 'GET', { path: '/reports/export' }],
  [200, 'GET', { path: '/reports/export', query: '?format=json' }],
  [201, 'POST', { path: '/monitoring', body: { value: 'watched.example.com' } }],
  [200, 'POST', { path: '/monitoring', body: { value: 'watched.example.com' } }],
  [304, 'GET', { path: '/blocklist/stats', headers: { 'If-None-Match': '*' } }],
  [404, 'POST', { path: '/monitoring/unwatch', body: { id: 'mon_0' } }],
  [400, 'GET', { path: '/check', query: '?query=example.com&enrichment=deep' }],
  [400, 'POST', { path: '/bulk/check', body: { entities: [] } }],
  [400, 'POST', { path: '/bulk/check', body: { entities: over } }],
  [401, 'GET', { path: '/check', query: '?query=example.com', headers: { 'X-API-KEY': '' } }],
  [404, 'GET', { path: '/reports/rpt_0', template: '/reports/{id}' }],
  [413, 'POST', { path: '/submit', body: 'x'.repeat(100_000) }],
  [415, 'POST', { path: '/submit', body: '<a/>', type: 'application/xml' }],
  [431, 'GET', { path: '/check', headers: { 'X-Long': 'x'.repeat(20_000) } }],
])('a real %i of %s %j is what the description says', async (status, method, sent) => {
  const answer = await call(method, sent);
  expect(answer.status).toBe(status);
  await expectDescribed(method, sent.template ?? sent.path, answer);
});

test('a real 429 is what the description says', async () => {
  for (let sent = 0; sent < 400; sent += 1) {
    const answer = await call('GET', { path: '/sources/statistics' }, free);
    if (answer.status === 429) return expectDescribed('GET', '/sources/statistics', answer);
    await answer.arrayBuffer();
  }
  throw new Error('The burst of a FREE account never ended.');
});

test('every operation of one surface names the server on which its path answers', () => {
  const [api, web] = description.servers.map(({ url }) => url.replace(/\/api$/, ''));
  for (const [path, operations] of Object.entries(description.paths))
    for (const operation of Object.values(operations)) {
      const { surface } = operation['x-assay-policy'];
      const urls = operation.servers?.map(({ url }) => url);
      if (surface === 'both') expect(urls, path).toBeUndefined();
      else expect(urls, path).toEqual([surface === 'web' ? web : api]);
      expect(path.startsWith('/api/'), path).toBe(surface === 'web');
    }
});
