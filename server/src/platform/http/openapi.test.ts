import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { renderRoutes } from './access-table.ts';
import { describeApi } from './openapi.ts';
import type { Policy } from './policy.ts';
import { type Route, route } from './route.ts';

const POLICY: Policy = {
  surface: 'both',
  auth: 'keyOrSession',
  plan: 'PRO',
  meter: 'checks',
  cost: () => 2,
  costNote: '1 per unique entity',
  bodyMax: 2_048,
  deadlineMs: 5_000,
  class: 'B',
  since: '1.0.0',
};
const Source = z.object({ name: z.string().max(9) }).meta({ id: 'DocSource' });
const WithDefault = z.object({ level: z.string().max(9).default('low') }).meta({ id: 'DocLevel' });
const Unused = z.object({ only: Source }).meta({ id: 'DocUnused' });
const routes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/things/:id',
    summary: 'One <thing>.',
    description: 'With `code` & more.',
    tags: ['things'],
    policy: POLICY,
    // The path has no `:gone`, so nothing refers to that schema.
    params: z.object({ id: z.string().max(40).describe('Its id.'), gone: Unused.optional() }),
    query: z.object({
      limit: z.coerce.number().int().min(1).max(50).default(20),
      deep: z.enum(['yes', 'no']),
    }),
    reply: z.object({ source: Source, levels: z.array(WithDefault) }),
    handle: () => ({ source: { name: '' }, levels: [] }),
  }),
  route({
    method: 'POST',
    path: '/things',
    summary: 'Another.',
    tags: ['things'],
    policy: { ...POLICY, extension: true, deprecated: { at: '2026-01-01', sunset: '2026-09-01' } },
    body: z.object({ level: WithDefault, sources: z.array(Source).max(4) }),
    status: 201,
    reply: Source,
    handle: () => ({ name: '' }),
  }),
];
const description = describeApi(routes, { apiUrl: 'https://api.test/', webUrl: 'https://web.test' });

describe('the description', () => {
  test('parameters come from the schemas, path first, with their bounds and words', () => {
    expect(description.paths['/things/{id}']?.get?.parameters).toEqual([
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Its id.',
        schema: { type: 'string', maxLength: 40 },
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { default: 20, type: 'integer', minimum: 1, maximum: 50 },
      },
      { name: 'deep', in: 'query', required: true, schema: { type: 'string', enum: ['yes', 'no'] } },
    ]);
  });

  test('a schema with equal input and output forms is one component; an input form exists only where it differs (foundation rule 13)', () => {
    const names = Object.keys(description.components.schemas ?? {});
    expect(names).toEqual(['Error', 'RateLimitedError', 'DocLevel', 'DocLevelInput', 'DocSource']);
    const schemas = description.components.schemas as Record<string, { required?: string[] }>;
    expect(schemas.DocLevel?.required).toEqual(['level']);
    expect(schemas.DocLevelInput?.required).toBeUndefined();
  });

  test('a schema that contains a differing one differs too, and replies keep the plain names', () => {
    const Inner = z.object({ level: z.int().default(1) }).meta({ id: 'DocInner' });
    const Outer = z.object({ inner: Inner }).meta({ id: 'DocOuter' });
    const echo = { ...routes[1], body: z.object({ outer: Outer }), reply: Outer } as Route;
    const { components } = describeApi([echo], { apiUrl: 'a', webUrl: 'b' });
    const schemas = components.schemas as Record<string, { properties: Record<string, unknown> }>;
    expect(Object.keys(schemas)).toEqual([
      'Error',
      'RateLimitedError',
      'DocInner',
      'DocInnerInput',
      'DocOuter',
      'DocOuterInput',
    ]);
    expect(schemas.DocOuter?.properties.inner).toEqual({ $ref: '#/components/schemas/DocInner' });
    expect(schemas.DocOuterInput?.properties.inner).toEqual({ $ref: '#/components/schemas/DocInnerInput' });
  });

  test('the failures of a route follow from its value', () => {
    expect(Object.keys(description.paths['/things/{id}']?.get?.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '408',
      '429',
      '431',
      '500',
      '503',
    ]);
    expect(Object.keys(description.paths['/things']?.post?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '408',
      '413',
      '415',
      '429',
      '431',
      '500',
      '503',
    ]);
  });

  test('an idempotent route takes a key and may conflict; a file is described in each of its media types', () => {
    const kept = {
      ...routes[1],
      policy: { ...POLICY, idempotent: true },
      produces: 'text/csv',
      alsoProduces: ['application/json'],
    } as Route;
    const post = describeApi([kept], { apiUrl: 'a', webUrl: 'b' }).paths['/things']?.post;
    expect(post?.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: false }]);
    expect(post?.responses).toMatchObject({ 409: { $ref: '#/components/responses/Conflict' } });
    const [, success] = Object.entries(post?.responses ?? {})[0] ?? [];
    expect(Object.keys((success as { content: object }).content)).toEqual(['text/csv', 'application/json']);
  });

  test('the reply schema describes the first media type alone; a text in place of JSON is described as text', () => {
    const file = { ...routes[1], alsoProduces: ['text/csv'] } as Route;
    const post = describeApi([file], { apiUrl: 'a', webUrl: 'b' }).paths['/things']?.post;
    expect(post?.responses['201']).toMatchObject({
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/DocSource' } },
        'text/csv': { schema: { type: 'string' } },
      },
    });
  });

  test('a route of one surface has the address of that surface, so that server and path together are where it answers', () => {
    const on = (surface: Policy['surface']) =>
      Object.entries(
        describeApi([{ ...routes[0], policy: { ...POLICY, surface } } as Route], {
          apiUrl: 'https://api.test/',
          webUrl: 'https://web.test/',
        }).paths,
      ).map(([path, { get }]) => [path, get?.servers?.map(({ url }) => url)]);
    expect(on('api')).toEqual([['/things/{id}', ['https://api.test']]]);
    expect(on('web')).toEqual([['/api/things/{id}', ['https://web.test']]]);
    expect(on('both')).toEqual([['/things/{id}', undefined]]);
  });

  test('every GET answers HEAD as well, with its headers and without a body', () => {
    const head = description.paths['/things/{id}']?.head;
    expect(head).toMatchObject({
      operationId: 'headThingsId',
      security: [{ apiKey: [] }, { basic: [] }, { session: [] }],
    });
    expect(JSON.stringify(head?.responses)).not.toContain('content');
    expect(description.paths['/things']?.head).toBeUndefined();
  });

  test('a 400 with fields of its own is described with them, a 429 with all of its forms', () => {
    const refusing = { ...routes[1], refusal: z.object({ total: z.int().optional() }) } as Route;
    const described = describeApi([refusing], { apiUrl: 'a', webUrl: 'b' });
    expect(described.paths['/things']?.post?.responses['400']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: { error: {}, details: {}, total: {} },
            required: ['error', 'message', 'requestId'],
          },
        },
      },
    });
    expect(described.components.responses?.RateLimited).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/RateLimitedError' } } },
    });
  });

  test('policy travels as data, an extension and a deprecation are marked', () => {
    const post = description.paths['/things']?.post;
    expect(post).toMatchObject({ deprecated: true, 'x-assay-extension': true });
    expect(post?.['x-assay-policy']).toMatchObject({ plan: 'PRO', cost: '1 per unique entity', class: 'B' });
    expect(post?.security).toEqual([{ apiKey: [] }, { basic: [] }, { session: [] }]);
  });
});

describe('the access table', () => {
  test('has a row for every route and a cell for every part of its policy', () => {
    const rows = renderRoutes(routes, [])
      .split('\n')
      .filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(4);
    expect(rows.map((row) => row.split(' | ').length)).toEqual([18, 18, 18, 18]);
    expect(rows[2]).toContain('| POST | `/things` | both | keyOrSession | PRO |');
    expect(rows[2]).toContain('2026-01-01, gone 2026-09-01 | yes |');
    expect(rows[3]).toContain('1 per unique entity');
  });
});
