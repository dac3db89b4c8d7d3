import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { capturedLog, listen, POLICY, PUBLIC, plainRoute, rawConnection, testApp } from '#test/http-app.ts';

const HOSTS = (...names: string[]) => names.map((name) => `${name}: a.example\r\n`).join('');
const Id = z.object({ id: z.string().max(300) });
const routes = [
  plainRoute({ path: '/things', policy: PUBLIC }),
  plainRoute({ method: 'POST', path: '/things', policy: PUBLIC }),
  plainRoute({ path: '/things/:id', params: Id, policy: PUBLIC }),
  plainRoute({ path: '/web-only', policy: { ...PUBLIC, surface: 'web' } }),
  plainRoute({ path: '/api-only', policy: { ...PUBLIC, surface: 'api' } }),
  plainRoute({
    path: '/broken',
    policy: PUBLIC,
    handle: () => {
      throw new Error('select * from key where secret = hunter2');
    },
  }),
  plainRoute({
    path: '/database-away',
    policy: PUBLIC,
    handle: () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
  }),
  plainRoute({
    path: '/cached-then-broken',
    policy: PUBLIC,
    handle: ((call: { reply: { header: (name: string, value: string) => void } }) => {
      call.reply.header('cache-control', 'public, max-age=300');
      call.reply.header('etag', '"a"');
      return Promise.reject(new Error('late'));
    }) as never,
  }),
  plainRoute({
    method: 'DELETE',
    path: '/things/:id',
    params: Id,
    policy: PUBLIC,
    status: 204,
    reply: z.undefined(),
    handle: () => undefined,
  }),
  plainRoute({ path: '/taxii', policy: PUBLIC, produces: 'application/taxii+json;version=2.1' }),
  plainRoute({
    path: '/old',
    policy: { ...PUBLIC, deprecated: { at: '2026-01-01', sunset: '2026-08-01T00:00:00Z' } },
  }),
  plainRoute({ path: '/keyed', policy: POLICY }),
];
const { log, lines } = capturedLog();
const app = testApp(routes, { log });
afterAll(() => app.close());

describe('addresses', () => {
  test('a route on both surfaces is one handler at two addresses', async () => {
    expect((await app.inject('/things')).json()).toEqual({ ok: true });
    expect((await app.inject('/api/things')).json()).toEqual({ ok: true });
    expect((await app.inject('/web-only')).statusCode).toBe(404);
    expect((await app.inject('/api/web-only')).statusCode).toBe(200);
    expect((await app.inject('/api/api-only')).statusCode).toBe(404);
  });

  test.each(['/things/', '/api/things/', '/things/7/', '/things/?a=1'])(
    '%s is accepted with its trailing slash and not redirected',
    async (url) => {
      expect((await app.inject(url)).statusCode).toBe(200);
    },
  );

  test('HEAD answers like GET, without the body', async () => {
    const reply = await app.inject({ method: 'HEAD', url: '/things' });
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe('');
    expect(reply.headers['content-length']).toBe('11');
  });

  test('another method is 405 and says which are allowed', async () => {
    const reply = await app.inject({ method: 'PUT', url: '/things/?x=1' });
    expect(reply.statusCode).toBe(405);
    expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
    expect(reply.json()).toMatchObject({ error: 'Method Not Allowed' });
    expect((await app.inject({ method: 'POST', url: '/things/7' })).headers.allow).toBe(
      'DELETE, GET, HEAD, OPTIONS',
    );
  });

  test.each(['/nothing', '/api', '/', '/things/1/2'])(
    '%s is 404 in the error form of the service',
    async (url) => {
      const reply = await app.inject(url);
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toEqual({
        error: 'Not Found',
        message: expect.stringContaining('/openapi.json'),
        requestId: reply.headers['x-request-id'],
      });
    },
  );

  test.each([
    ['is not JSON', '<a/>', 'application/xml'],
    ['is broken JSON', '{', 'application/json'],
    ['is large', 'x'.repeat(100_000), 'application/json'],
  ])('a body that %s, sent to an unknown path, is 404 and not validated', async (_, payload, type) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/nothing',
      payload,
      headers: { 'content-type': type },
    });
    expect(reply.statusCode).toBe(404);
    expect(reply.headers['x-request-id']).toMatch(/^req_/);
  });

  test('a successful DELETE with a type and no body is 204', async () => {
    const reply = await app.inject({
      method: 'DELETE',
      url: '/things/7',
      headers: { 'content-type': 'application/json' },
    });
    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe('');
  });

  test('a JSON media type of another name keeps its exact spelling', async () => {
    const reply = await app.inject('/taxii');
    expect(reply.headers['content-type']).toBe('application/taxii+json;version=2.1');
    expect(reply.json()).toEqual({ ok: true });
  });
});

describe('error bodies (contract 7, decisions 1.2)', () => {
  test('an unexpected failure gives no details to the caller; the log has them', async () => {
    const reply = await app.inject('/broken');
    expect(reply.statusCode).toBe(500);
    expect(reply.json()).toEqual({
      error: 'Internal Server Error',
      message: expect.not.stringContaining('hunter2'),
      requestId: reply.headers['x-request-id'],
    });
    const logged = lines.filter((line) => line.includes(String(reply.headers['x-request-id'])));
    expect(logged.some((line) => line.includes('select * from key'))).toBe(true);
  });

  test('PostgreSQL unavailable is 503 with Retry-After', async () => {
    const reply = await app.inject('/database-away');
    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('5');
    expect(reply.json()).toMatchObject({ error: 'Service unavailable', retryAfter: 5 });
  });

  test('an error is never cacheable, whatever headers the handler had set', async () => {
    const reply = await app.inject('/cached-then-broken');
    expect(reply.headers['cache-control']).toBe('private, no-store');
    expect(reply.headers.etag).toBeUndefined();
  });

  test('a request id sent by the client is ignored', async () => {
    const reply = await app.inject({
      url: '/things',
      headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
    });
    expect(reply.headers['x-request-id']).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test.each([
    ['is not a URL', '/things/%zz'],
    ['has a part of more than 256 characters', `/things/${'x'.repeat(257)}`],
  ])('an address that %s is 400', async (_, url) => {
    const reply = await app.inject(url);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ error: 'Bad Request', requestId: reply.headers['x-request-id'] });
  });

  test.each([
    ['is not HTTP', 'NONSENSE\r\n\r\n', 400, 'Bad Request'],
    [
      'has endless headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
    [
      'has an endless address',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
    [
      'smuggles a second length',
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'Bad Request',
    ],
  ])(
    'a message that %s is refused in the error form of the service and the connection closed',
    async (_, bytes, status, word) => {
      const server = testApp(routes);
      const raw = await rawConnection(await listen(server));
      raw.socket.write(bytes);
      await raw.closed;
      const [head = '', body = ''] = raw.received().split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(JSON.parse(body)).toMatchObject({ error: word, requestId: expect.stringMatching(/^req_/) });
      await server.close();
    },
  );
});

describe('headers', () => {
  test('every answer forbids sniffing; answers to keys are not stored', async () => {
    for (const url of ['/things', '/keyed', '/nothing', '/broken']) {
      const reply = await app.inject(url);
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
      expect(reply.headers['x-request-id']).toMatch(/^req_/);
    }
    expect((await app.inject('/keyed')).headers['cache-control']).toBe('private, no-store');
    expect((await app.inject('/things')).headers['cache-control']).toBeUndefined();
  });

  test('a deprecated route says since when and until when (RFC 9745, RFC 8594)', async () => {
    const { headers } = await app.inject('/old');
    expect(headers.deprecation).toBe('@1767225600');
    expect(headers.sunset).toBe('Sat, 01 Aug 2026 00:00:00 GMT');
  });
});

describe('a request with two Host headers', () => {
  test('is 400 in any spelling, and its connection ends (RFC 9112 3.2)', async () => {
    const served = testApp(routes);
    const port = await listen(served);
    for (const [names, status] of [
      [['Host'], 200],
      [['Host', 'Host'], 400],
      [['host', 'HOST'], 400],
    ] as const) {
      const raw = await rawConnection(port);
      raw.socket.write(`GET /things HTTP/1.1\r\n${HOSTS(...names)}\r\n`);
      const answer = await raw.until(/\}/);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      if (status === 400) {
        expect(answer).toContain('"error":"Bad Request"');
        await raw.closed;
      }
      raw.socket.destroy();
    }
    await served.close();
  });
});
