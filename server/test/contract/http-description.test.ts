import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { statusRoutes } from '#capabilities/status/index.ts';
import { systemClock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import { descriptionRoutes } from '#platform/http/description-routes.ts';
import { createReadiness } from '#platform/http/readiness.ts';
import type { Call } from '#platform/http/route.ts';
import { capturedLog, FRESH_CONTACT, POLICY, PUBLIC, plainRoute, testApp } from '#test/http-app.ts';

const yes = async () => true;
const served = [
  ...statusRoutes({
    clock: systemClock(),
    database: async () => 'writable',
    redis: yes,
    replica: yes,
    contact: FRESH_CONTACT,
    readiness: createReadiness(),
  }),
  plainRoute({
    method: 'POST',
    path: '/things/:id',
    params: z.object({ id: z.string().max(40) }),
    body: z.object({ name: z.string().max(5) }),
    policy: POLICY,
  }),
];
const addresses = { PUBLIC_API_URL: 'https://api.test', PUBLIC_WEB_URL: 'https://web.test' };
const routes = [
  ...served,
  ...descriptionRoutes(served, { config: addresses, samples: () => new Map(), fonts: () => ({}) }),
];
const app = testApp(routes);
afterAll(() => app.close());

type Json = Record<string, unknown>;

/** Checks the structure that every OpenAPI 3.1 reader relies on. */
function structuralProblems(document: Json): string[] {
  const problems: string[] = [];
  const resolve = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document);
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && (!$ref.startsWith('#/') || resolve($ref) === undefined))
      problems.push(`${path}: ${$ref} leads nowhere`);
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`);
  };
  walk(document, '#');
  const ids = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Json>>))
    for (const [method, operation] of Object.entries(methods)) {
      const where = `${method} ${path}`;
      if (!/^(get|head|post|put|patch|delete)$/.test(method)) problems.push(`${where}: not a method`);
      if (ids.has(String(operation.operationId))) problems.push(`${where}: operationId is taken`);
      ids.add(String(operation.operationId));
      const parameters = (operation.parameters ?? []) as { name: string; in: string; required: boolean }[];
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = parameters.filter((parameter) => parameter.in === 'path');
      if (named.map(({ name }) => name).join() !== inPath.join() || named.some(({ required }) => !required))
        problems.push(`${where}: path parameters`);
      for (const [status, answer] of Object.entries(operation.responses as Record<string, Json>))
        if (!/^[1-5]\d\d$/.test(status) || (answer.$ref === undefined && answer.description === undefined))
          problems.push(`${where}: response ${status}`);
      const schemes = ((document.components as Json).securitySchemes ?? {}) as Json;
      for (const scheme of (operation.security as Json[]).flatMap(Object.keys))
        if (schemes[scheme] === undefined) problems.push(`${where}: security ${scheme}`);
    }
  return problems;
}

describe('/openapi.json', () => {
  test('is OpenAPI 3.1, version 1.0.0, and consistent', async () => {
    const reply = await app.inject('/openapi.json');
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    const document = reply.json();
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    expect(structuralProblems(document)).toEqual([]);
    expect(structuralProblems({ ...document, components: {} }).length).toBeGreaterThan(3);
  });

  test('names exactly the mounted routes, and each of them answers', async () => {
    const { paths } = (await app.inject('/openapi.json')).json();
    const described = Object.entries(paths as Json).flatMap(([path, methods]) =>
      Object.keys(methods as Json).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const mounted = routes.flatMap((route) =>
      (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]).map(
        (method) => `${method} ${route.path.replace(/:(\w+)/g, '{$1}')}`,
      ),
    );
    expect(described.sort()).toEqual(mounted.sort());
    for (const line of described) {
      const [method = '', path = ''] = line.split(' ');
      expect(app.hasRoute({ method: method as 'GET', url: path.replace(/\{(\w+)\}/g, ':$1') })).toBe(true);
    }
  });

  test('no component is left unused (foundation rule 13)', async () => {
    const body = (await app.inject('/openapi.json')).body;
    const { components } = JSON.parse(body);
    for (const name of Object.keys(components.schemas))
      expect(body).toContain(`"#/components/schemas/${name}"`);
  });

  test('is not sent again to a client that has it', async () => {
    const first = await app.inject('/openapi.json');
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': tag } });
      expect(again.statusCode).toBe(304);
      expect(again.body).toBe('');
    }
    const other = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': '"other"' } });
    expect(other.statusCode).toBe(200);
    expect((await app.inject('/api/openapi.json')).headers.etag).toBe(etag);
  });
});

test('a test service answers 500 to a status that the description does not name, and logs which', async () => {
  const { log, lines } = capturedLog();
  const teapot = plainRoute({
    path: '/teapot',
    policy: PUBLIC,
    handle: ({ reply }: Call) => {
      reply.code(418);
      return { ok: true };
    },
  });
  const missing = plainRoute({
    path: '/missing',
    policy: PUBLIC,
    handle: () => {
      throw notFound('Thing', '1');
    },
  });
  const strict = testApp([teapot, missing, { ...missing, path: '/named', mayBeAbsent: true }], { log });
  const statuses = await Promise.all(
    ['/teapot', '/missing', '/named', '/nowhere'].map(async (url) => (await strict.inject(url)).statusCode),
  );
  await strict.close();
  expect(statuses).toEqual([500, 500, 404, 404]);
  expect(lines.join()).toContain('GET /teapot answers 418, which its description does not name');
});

describe('/docs', () => {
  test('is one page that runs only its own scripts, may load nothing and may not be framed', async () => {
    const reply = await app.inject('/docs');
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toMatch(/script-src 'sha256-[^']+' 'sha256-[^']+';/);
    expect(reply.body).not.toMatch(/<script [^>]*src=/);
    expect(reply.body).toContain('href="https://web.test/app/"');
    for (const { path } of routes) expect(reply.body).toContain(path.replace(/:(\w+)/g, '{$1}'));
    expect(reply.headers.etag).toBeDefined();
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('travels compressed as %s, with a tag of its own', async (encoding, read) => {
    const plain = await app.inject('/docs');
    const headers = { 'accept-encoding': encoding };
    const reply = await app.inject({ url: '/docs', headers });
    expect(reply.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(read(reply.rawPayload).toString()).toBe(plain.body);
    expect(reply.headers.etag).not.toBe(plain.headers.etag);
    const again = await app.inject({
      url: '/docs',
      headers: { ...headers, 'if-none-match': String(reply.headers.etag) },
    });
    expect([again.statusCode, again.body, again.headers['content-encoding']]).toEqual([304, '', undefined]);
  });
});
