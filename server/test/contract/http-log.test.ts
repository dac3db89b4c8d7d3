import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createShedder, SHED_LIMITS } from '#platform/http/shedding.ts';
import { registry } from '#platform/metrics.ts';
import { capturedLog, POLICY, PUBLIC, plainRoute, recordedGates, testApp } from '#test/http-app.ts';

const CANARY = 'sk_canary9f2c7d';
const INDICATOR = 'victim-canary.example';

const routes = [
  plainRoute({
    method: 'POST',
    path: '/things/:id',
    params: z.object({ id: z.string().max(100) }),
    query: z.object({ query: z.string().max(100).optional(), limit: z.coerce.number().max(5).optional() }),
    body: z.object({ secret: z.string().max(100) }),
  }),
  plainRoute({
    path: '/broken/:id',
    params: z.object({ id: z.string().max(100) }),
    handle: () => {
      throw Object.assign(new Error('duplicate key'), {
        code: '23505',
        detail: `Key (value)=(${INDICATOR}) exists.`,
      });
    },
  }),
  plainRoute({ path: '/open', policy: PUBLIC }),
];
const headers = {
  authorization: `Basic ${CANARY}`,
  'x-api-key': CANARY,
  'x-license-key': CANARY,
  cookie: `__Secure-sid=${CANARY}`,
  'user-agent': `x\n${CANARY}`,
};

async function everything(log: ReturnType<typeof capturedLog>['log']) {
  const app = testApp(routes, { log });
  const post = (url: string, payload: unknown) =>
    app.inject({ method: 'POST', url, headers, payload: payload as object });
  await post(`/things/${INDICATOR}?query=${INDICATOR}`, { secret: CANARY });
  await post(`/things/${INDICATOR}?limit=99`, { secret: CANARY });
  await post(`/things/${INDICATOR}`, `{"secret":"${CANARY}`);
  await app.inject({ url: `/broken/${INDICATOR}`, headers });
  await app.inject({ url: `/${CANARY}/${INDICATOR}`, headers });
  await app.inject({ method: 'PUT', url: `/things/${INDICATOR}`, headers });
  await app.inject({ url: `/open?key=${CANARY}`, headers });
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the request line', () => {
  test('holds neither a key, a body nor an indicator, whatever happens to the request', async () => {
    const { log, lines } = capturedLog();
    await everything(log);
    // Eight lines: seven requests, two of them without a route, and one line for the internal failure.
    expect(lines).toHaveLength(8);
    expect(lines.filter((line) => line.includes('"route":"(none)"'))).toHaveLength(2);
    expect(lines.join('')).not.toContain(CANARY);
    expect(lines.join('')).not.toContain(INDICATOR);
  });

  test('is one JSON object per request, with the route template in place of the path', async () => {
    const { log, lines } = capturedLog();
    const app = testApp(routes, { log });
    const reply = await app.inject({
      method: 'POST',
      url: `/api/things/${INDICATOR}`,
      payload: { secret: 'x' },
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 30,
      time: expect.any(Number),
      pid: process.pid,
      msg: 'request',
      requestId: reply.headers['x-request-id'],
      method: 'POST',
      route: '/api/things/:id',
      surface: 'web',
      status: 200,
      ms: expect.any(Number),
      bytes: 11,
      principal: 'key_01',
      account: 'org_01',
      plan: 'PRO',
    });
  });

  test('a caller whose id is hostile cannot break the line', async () => {
    const { log, lines } = capturedLog();
    const { gates } = recordedGates({
      identify: () => ({
        kind: 'anonymous',
        id: '"}\n{"level":60',
        accountId: '',
        userId: '',
        organizationId: null,
        role: null,
        plan: 'ANONYMOUS\u001b[31m',
      }),
    });
    await testApp(routes, { log, gates }).inject('/open');
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain('\n');
    expect(lines[0]).not.toContain('\u001b');
    expect(JSON.parse(lines[0] ?? '').principal).toBe('"}\n{"level":60');
  });

  test('requests are counted by template, status class and plan', async () => {
    // Other files in this process may have used up the routes that a page names.
    registry.getSingleMetric('assay_http_requests_total')?.reset();
    const app = testApp(routes);
    await app.inject(`/broken/${INDICATOR}`);
    await new Promise((resolve) => setImmediate(resolve));
    const page = await registry.metrics();
    expect(page).toContain('assay_http_requests_total{route="GET /broken/:id",status="5xx",plan="PRO"}');
    expect(page).toMatch(/assay_http_request_seconds_count\{route="GET \/broken\/:id"\} \d+/);
    expect(page).not.toContain(INDICATOR);
  });

  test('requests refused under load are logged as one sum by class, and not one by one', async () => {
    const { log, lines } = capturedLog();
    const shedder = createShedder(
      { ...SHED_LIMITS, A: { delayMs: 1_000, inFlightMax: 0 } },
      { delay: { meanMs: () => 0, stop: () => undefined } },
    );
    const app = testApp(routes, { log, shedder });
    const statuses = new Set<number>();
    for (let i = 0; i < 200; i += 1) statuses.add((await app.inject('/broken/1')).statusCode);
    expect([...statuses]).toEqual([503]);
    const summed = () =>
      lines
        .map((line) => JSON.parse(line) as { readonly refused?: { readonly A: number } })
        .reduce((sum, { refused }) => sum + (refused?.A ?? 0), 0);
    await expect.poll(summed).toBe(200);
    expect(lines.length).toBeLessThan(50);
    expect(lines.join('')).not.toContain('"msg":"request"');
    await app.close();
  });

  test('at level warn only internal failures are written', async () => {
    const { log, lines } = capturedLog('warn');
    const app = testApp([...routes, plainRoute({ path: '/fine', policy: POLICY })], {
      log,
      config: { LOG_LEVEL: 'warn' },
    });
    await app.inject('/fine');
    await app.inject('/broken/1');
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['request failed', 'request']);
  });
});
