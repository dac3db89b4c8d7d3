import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PROVIDERS } from '#capabilities/providers/index.ts';
import { eventually } from '#test/eventually.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { type LookupsRig, startLookupsRig } from '#test/lookups-rig.ts';

let rig: LookupsRig;
let app: FastifyInstance;
beforeAll(async () => {
  rig = await startLookupsRig();
});
afterAll(() => rig?.close());
beforeEach(() => {
  rig.reset();
  app = rig.serve();
});
const get = async (path: string, from = app) => {
  const response = await from.inject({ method: 'GET', url: path });
  return { status: response.statusCode, headers: response.headers, body: response.json() as unknown };
};

describe('GET /check/intelowl', () => {
  test('an analysis is made and cached for the next call', async () => {
    rig.owl.state.job = {
      status: 'reported_without_fails',
      analyzer_reports: [{ name: 'A', status: 'SUCCESS', report: { x: 1 } }],
    };
    const first = await get('/check/intelowl?query=owl-1.com');
    expect(first).toMatchObject({
      status: 200,
      body: {
        status: 'completed',
        query: 'owl-1.com',
        type: 'domain',
        cached: false,
        jobId: expect.any(Number),
        fetchedAt: expect.stringMatching(/Z$/),
        analyzers: [{ name: 'A', status: 'SUCCESS', report: { x: 1 } }],
        summary: { malicious: 0, suspicious: 0, clean: 0, total: 1 },
      },
    });
    const again = await get('/check/intelowl?query=owl-1.com&cache_only=true&type=domain');
    expect(again.body).toEqual({ ...(first.body as object), cached: true });
    expect(rig.owl.submitted.filter(({ body }) => JSON.stringify(body).includes('owl-1.com'))).toHaveLength(
      1,
    );
  });

  test('a running analysis is answered as accepted; the next call finds it done', async () => {
    rig.owl.state.runningFor = Number.MAX_SAFE_INTEGER;
    const started = performance.now();
    expect((await get('/check/intelowl?query=9.9.9.9')).body).toMatchObject({
      status: 'accepted',
      type: 'ip',
    });
    if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(5_500);
    expect((await get('/check/intelowl?query=9.9.9.9&cache_only=true')).status).toBe(404);
    rig.owl.state.runningFor = 0;
    await eventually('the analysis is given', 4_000, async () => {
      const { body } = await get('/check/intelowl?query=9.9.9.9');
      return (body as { status: string }).status === 'completed';
    });
  });

  test('cache_only without a cached analysis is 404 and refunds the check', async () => {
    const submitted = rig.owl.submitted.length;
    expect(await get('/check/intelowl?query=never-asked.com&cache_only=true')).toMatchObject({
      status: 404,
      body: { error: 'Not Found', message: expect.stringContaining('cache_only') },
    });
    expect(rig.calls).toEqual(['identify', 'admit 1', 'refund 1']);
    expect(rig.owl.submitted.length).toBe(submitted);
  });

  test('a failed analysis is 503 with Retry-After and refunds the check', async () => {
    rig.owl.mode = 'error';
    const { status, headers, body } = await get('/check/intelowl?query=owl-fails.com');
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('30');
    expect(body).toMatchObject({ error: 'Service unavailable' });
    expect(rig.calls).toContain('refund 1');
  });

  test('HEAD tells whether IntelOwl can be reached, has no body and costs no check', async () => {
    const head = (from = app) => from.inject({ method: 'HEAD', url: '/check/intelowl?query=example.com' });
    const response = await head();
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
    expect(rig.calls).toEqual(['identify', 'admit 0']);
    rig.owl.mode = 'error';
    expect((await head()).statusCode).toBe(503);
    rig.owl.mode = 'answer';
    expect((await head(rig.serve(PROVIDERS, 'wrong'))).statusCode).toBe(503);
    expect((await head(rig.serve(['rdap']))).statusCode).toBe(503);
    expect((await app.inject({ method: 'HEAD', url: '/check/intelowl' })).statusCode).toBe(400);
  });
});

describe('refused lookups', () => {
  test.each([
    ['/check/whois', 400],
    ['/check/whois?query=', 400],
    ['/check/whois?query=someone@example.com', 400],
    ['/check/whois?query=d41d8cd98f00b204e9800998ecf8427e', 400],
    ['/check/whois?query=9.9.9.0/24', 400],
    [`/check/whois?query=${'a'.repeat(3_000)}.com`, 400],
    ['/check/certificates', 400],
    ['/check/certificates?query=https://example.com/', 400],
    ['/check/vulnerabilities?query=example.com', 400],
    ['/check/tenant?query=9.9.9.9', 400],
    ['/check/tenant?query=https://9.9.9.9/', 400],
    ['/check/intelowl?query=someone@example.com', 400],
    ['/check/intelowl?query=example.com&type=ip', 400],
    ['/check/intelowl?query=example.com&type=file', 400],
    ['/check/intelowl?query=example.com&cache_only=maybe', 400],
    ['/check/intelowl?query=10.0.0.1', 400],
  ])('%s is %i with the reason and costs the burst only', async (path, status) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status, body: { error: 'Bad Request', message: expect.any(String) } });
    const spent = rig.calls.filter((call) => /admit [1-9]/.test(call)).length;
    expect(rig.calls.filter((call) => /refund/.test(call))).toHaveLength(spent);
  });

  test.each([
    ['/check/intelowl?query=example.com', /INTELOWL_URL and INTELOWL_TOKEN/],
    ['/check/intelowl?query=example.com&cache_only=true', /INTELOWL_URL and INTELOWL_TOKEN/],
  ])(
    '%s is 503 where it is switched off, with advice for the operator, and costs nothing',
    async (path, said) => {
      const { status, headers, body } = await get(path, rig.serve([]));
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('3600');
      expect(body).toMatchObject({ error: 'Service unavailable', message: expect.stringMatching(said) });
      expect(rig.calls).toContain('refund 1');
    },
  );

  test.each([
    ['whois', 'example.com', /adds rdap to LIVE_PROVIDERS/],
    ['certificates', 'example.com', /adds tls, or ct for domains, to LIVE_PROVIDERS/],
    ['vulnerabilities', '9.9.9.9', /adds internetdb to LIVE_PROVIDERS/],
    ['tenant', 'example.com', /adds tenant to LIVE_PROVIDERS/],
  ])(
    '/check/%s is null with the setting where it is switched off, and costs nothing',
    async (name, query, said) => {
      const { status, headers, body } = await get(`/check/${name}?query=${query}`, rig.serve([]));
      expect([status, headers['retry-after']]).toEqual([200, undefined]);
      expect(body).toEqual({ [name]: null, message: expect.stringMatching(said) });
      expect(rig.calls).toContain('refund 1');
    },
  );

  test('IntelOwl without a token is 503 as well', async () => {
    const { status, body } = await get('/check/intelowl?query=example.com', rig.serve(PROVIDERS, null));
    expect(status).toBe(503);
    expect(body).toMatchObject({ message: expect.stringMatching(/INTELOWL_TOKEN/) });
  });
});
