import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError, unavailable } from '#platform/errors.ts';
import { listen, POLICY, PUBLIC, plainRoute, rawConnection, recordedGates, testApp } from '#test/http-app.ts';

const Body = z.object({ name: z.string().max(10), count: z.coerce.number().int().max(5).optional() });
const posting = plainRoute({ method: 'POST', path: '/things', body: Body });

describe('the order of the gates (foundation rule 8)', () => {
  test('a caller is identified, and a scan without allowance refused, before a byte of the body is read', async () => {
    const { gates, calls } = recordedGates({
      refuseEarly: () => {
        throw new ServiceError('Scan quota exceeded', 'No scans left.', { body: { usage: 10, limit: 10 } });
      },
    });
    const app = testApp(
      [{ ...posting, path: '/scan', policy: { ...POLICY, meter: 'scans', bodyMax: 10_000_000 } }],
      { gates },
    );
    const port = await listen(app);
    const raw = await rawConnection(port);
    // Only the head is sent, so an answer at this point cannot have waited for the body.
    raw.socket.write(
      'POST /scan HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n',
    );
    const answer = await raw.until(/\r\n\r\n\{.*\}/s);
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toContain('"usage":10');
    expect(calls).toEqual(['identify', 'refuseEarly']);
    raw.socket.destroy();
    await app.close();
  });

  test('100 Continue is sent only after the decision to read the body', async () => {
    const app = testApp([{ ...posting, path: '/scan', policy: { ...POLICY, meter: 'scans' } }]);
    const port = await listen(app);
    const raw = await rawConnection(port);
    raw.socket.write(
      'POST /scan HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n',
    );
    expect(await raw.until(/100 Continue\r\n\r\n/)).toMatch(/^HTTP\/1\.1 100 Continue/);
    raw.socket.write('{"name":"a"}');
    expect(await raw.until(/\{"ok":true\}/)).toContain('HTTP/1.1 200');
    raw.socket.destroy();
    await app.close();
  });

  test('good input is charged once with the route cost, from validated input', async () => {
    const { gates, calls } = recordedGates();
    const cost = ({ body }: { body: unknown }) => (body as z.output<typeof Body>).count ?? 1;
    const app = testApp([{ ...posting, policy: { ...POLICY, cost } }], { gates });
    const reply = await app.inject({ method: 'POST', url: '/things', payload: { name: 'a', count: '4' } });
    expect(reply.statusCode).toBe(200);
    expect(calls).toEqual(['identify', 'admit 4']);
  });

  test.each([
    ['fails its schema', { payload: { name: 'far too long a name' } }, 400],
    ['is not JSON', { payload: '{"name":', headers: { 'content-type': 'application/json' } }, 400],
    [
      'poisons a prototype',
      { payload: '{"__proto__":{}}', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['is too large', { payload: { name: 'x'.repeat(2_000) } }, 413],
    ['is of another type', { payload: '<a/>', headers: { 'content-type': 'application/xml' } }, 415],
    ['has no type', { payload: Buffer.from('x') }, 415],
  ])(
    'a body that %s costs the burst only, and the answer carries the limit headers',
    async (_, sent, status) => {
      const { gates, calls } = recordedGates();
      const app = testApp([posting], { gates });
      const reply = await app.inject({ method: 'POST', url: '/things', ...sent });
      expect(reply.statusCode).toBe(status);
      expect(calls).toEqual(['identify', 'admit 0']);
      expect(reply.headers['x-ratelimit-limit']).toBe('60');
    },
  );

  test('a form body is read only where the route declares one', async () => {
    const app = testApp([
      posting,
      { ...posting, path: '/form', accepts: ['application/json', 'application/x-www-form-urlencoded'] },
    ]);
    const send = (url: string) =>
      app.inject({
        method: 'POST',
        url,
        payload: 'name=a%20b&count=3',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      });
    expect((await send('/form')).statusCode).toBe(200);
    const refused = await send('/things');
    expect(refused.statusCode).toBe(415);
    expect(refused.json().message).toContain('application/json');
  });

  test('a 400 names each field', async () => {
    const app = testApp([posting]);
    const reply = await app.inject({ method: 'POST', url: '/things', payload: { name: 1, count: 99 } });
    const body = reply.json();
    expect(body).toMatchObject({ error: 'Bad Request', requestId: reply.headers['x-request-id'] });
    expect(body.details.map((detail: { path: string }) => detail.path)).toEqual(['name', 'count']);
    expect(body.message).toContain('name');
  });

  test('problems of path, query and body are reported together', async () => {
    const app = testApp([
      plainRoute({
        method: 'POST',
        path: '/things/:id',
        params: z.object({ id: z.string().max(3) }),
        query: z.object({ limit: z.coerce.number().int().min(1) }),
        body: Body,
      }),
    ]);
    const reply = await app.inject({ method: 'POST', url: '/things/abcd?limit=0', payload: {} });
    expect(reply.json().details.map((detail: { path: string }) => detail.path)).toEqual([
      'id',
      'limit',
      'name',
    ]);
  });

  test('the burst refusal precedes the 400, so that a flood of bad requests is limited too', async () => {
    const { gates } = recordedGates({
      admit: () => {
        throw new ServiceError('Rate Limited', 'Slow down.', { headers: { 'Retry-After': '7' } });
      },
    });
    const app = testApp([posting], { gates });
    for (const payload of [{ name: 1 }, '{']) {
      const reply = await app.inject({
        method: 'POST',
        url: '/things',
        payload,
        headers: { 'content-type': 'application/json' },
      });
      expect(reply.statusCode).toBe(429);
      expect(reply.headers['retry-after']).toBe('7');
    }
  });

  test('unknown parameters and fields are ignored (decisions 1.1)', async () => {
    const app = testApp([posting]);
    const reply = await app.inject({
      method: 'POST',
      url: '/things?x=1',
      payload: { name: 'a', more: true },
    });
    expect(reply.statusCode).toBe(200);
  });

  test('an internal failure refunds the units, and so does a status that the policy names; a 404 does not', async () => {
    const { gates, calls } = recordedGates();
    const failing = (path: string, error: unknown, policy = POLICY) =>
      plainRoute({ path, policy, mayBeAbsent: true, handle: () => Promise.reject(error) });
    const app = testApp(
      [
        failing('/boom', new Error('broken')),
        failing('/away', unavailable('Away.', 1)),
        failing('/missing', new ServiceError('Not Found', 'No.')),
        failing('/miss', new ServiceError('Not Found', 'No.'), { ...POLICY, refundOn: [404] }),
        plainRoute({
          path: '/soft',
          policy: { ...POLICY, refundOn: [404] },
          handle: ((call: { reply: { code: (status: number) => void } }) => {
            call.reply.code(404);
            return { ok: false };
          }) as never,
        }),
      ],
      { gates },
    );
    for (const url of ['/boom', '/away', '/missing', '/miss', '/soft']) await app.inject(url);
    const perRoute = calls
      .join(' ')
      .split('identify ')
      .slice(1)
      .map((part) => part.trim());
    expect(perRoute).toEqual([
      'admit 1 refund 1',
      'admit 1 refund 1',
      'admit 1',
      'admit 1 refund 1',
      'admit 1 refund 1',
    ]);
  });

  test('gates may answer synchronously or asynchronously', async () => {
    const { gates, calls } = recordedGates({
      identify: async () => ({ ...(await import('#test/http-app.ts')).CALLER, id: 'key_later' }),
      admit: async () => null,
      refuseEarly: async () => undefined,
    });
    const app = testApp([{ ...posting, policy: { ...POLICY, meter: 'scans' } }], { gates });
    const reply = await app.inject({ method: 'POST', url: '/things', payload: { name: 'a' } });
    expect(reply.statusCode).toBe(200);
    expect(calls).toEqual(['identify', 'refuseEarly', 'admit 1']);
  });

  test('an unknown caller is refused before anything is charged', async () => {
    for (const refuse of [
      () => {
        throw new ServiceError('Unauthorized', 'Invalid API key');
      },
      () => Promise.reject(new ServiceError('Unauthorized', 'Invalid API key')),
    ]) {
      const { gates, calls } = recordedGates({ identify: refuse });
      const app = testApp([posting], { gates });
      const reply = await app.inject({ method: 'POST', url: '/things', payload: { name: 1 } });
      expect(reply.json()).toMatchObject({ error: 'Unauthorized', message: 'Invalid API key' });
      expect(calls).toEqual(['identify']);
    }
  });

  test('a public route without a meter does not call the meter', async () => {
    const { gates, calls } = recordedGates();
    const app = testApp([plainRoute({ path: '/open', policy: PUBLIC })], { gates });
    await app.inject('/open');
    expect(calls).toEqual(['identify']);
  });

  test('an Idempotency-Key reaches the gate only where the policy asks for it', async () => {
    const seen: string[] = [];
    const { gates } = recordedGates({
      idempotent: async (request, _reply, _principal, work) => {
        seen.push(String(request.headers['idempotency-key']));
        return work();
      },
    });
    const app = testApp(
      [
        { ...posting, path: '/once', policy: { ...POLICY, idempotent: true } },
        { ...posting, path: '/often' },
      ],
      { gates },
    );
    for (const url of ['/once', '/often'])
      await app.inject({
        method: 'POST',
        url,
        payload: { name: 'a' },
        headers: { 'idempotency-key': `key of ${url}` },
      });
    await app.inject({ method: 'POST', url: '/once', payload: { name: 'a' } });
    expect(seen).toEqual(['key of /once']);
  });
});

describe('replies in tests', () => {
  test.each([
    ['breaks its schema', { ok: 'yes' }],
    ['carries a field the schema does not name', { ok: true, secret: 'x' }],
  ])('a reply that %s is a failure', async (_, value) => {
    const app = testApp([plainRoute({ path: '/reply', handle: () => value })]);
    expect((await app.inject('/reply')).statusCode).toBe(500);
    const production = testApp([plainRoute({ path: '/reply', handle: () => value })], {
      config: { ASSAY_ENV: 'production' },
    });
    expect((await production.inject('/reply')).json()).toEqual(value);
  });
});
