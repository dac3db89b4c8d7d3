import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '#platform/errors.ts';
import { eventually } from '#test/eventually.ts';
import { plainRoute } from '#test/http-app.ts';
import { testCaller } from '#test/meter.ts';
import { type MeteredApp, policyOf, startMeteredApp } from '#test/metered-app.ts';

let metered: MeteredApp;
const query = z.object({ n: z.coerce.number().int().max(1_000).default(1) });
const cost = (input: { readonly query: unknown }) => (input.query as { n: number }).n;

beforeAll(async () => {
  metered = await startMeteredApp([
    plainRoute({ path: '/checks', query, policy: policyOf('checks', { cost }) }),
    plainRoute({
      path: '/broken',
      policy: policyOf('checks'),
      handle: () => {
        throw new ServiceError('Internal Server Error', 'broken on purpose');
      },
    }),
    plainRoute({
      path: '/absent',
      policy: policyOf('checks', { refundOn: [404] }),
      handle: () => {
        throw new ServiceError('Not Found', 'not in the cache');
      },
    }),
    plainRoute({ path: '/burst', policy: policyOf('burst') }),
    plainRoute({ path: '/quota', policy: policyOf('none') }),
    plainRoute({ path: '/scan', method: 'POST', policy: policyOf('scans') }),
  ]);
});
afterAll(() => metered?.close());
beforeEach(() => metered.nextCaller());

const get = (url: string) => metered.app.inject({ method: 'GET', url });
const scan = () => metered.app.inject({ method: 'POST', url: '/scan' });
const usageOf = async () => (await get('/checks?n=0')).headers['x-monthly-usage'];

test('an answer whose units are refunded shows the usage without them', async () => {
  expect((await get('/checks?n=3')).headers['x-monthly-usage']).toBe('3');
  for (const path of ['/absent', '/broken'])
    expect((await get(path)).headers, path).toMatchObject({
      'x-monthly-usage': '3',
      'x-monthly-percentage': '0.6',
    });
});

describe('trap 61: the burst', () => {
  test('the 61st call in a minute on FREE is refused, with the time to retry', async () => {
    const first = await get('/burst');
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-type': 'burst',
      'x-ratelimit-plan': 'FREE',
    });
    for (let i = 0; i < 59; i += 1) expect((await get('/burst')).statusCode).toBe(200);
    const refused = await get('/burst');
    expect(refused.statusCode).toBe(429);
    const resetMs = Number(refused.headers['x-ratelimit-reset']);
    const retryAfter = Number(refused.headers['retry-after']);
    expect(resetMs).toBeGreaterThan(metered.nowMs);
    expect(resetMs).toBeLessThanOrEqual(metered.nowMs + 65_000);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(refused.json()).toEqual({
      error: 'Rate Limited',
      message: expect.stringMatching(
        /^Rate limit exceeded: 60 requests per minute\. Try again in (1 minute )?\d+ seconds?\.$/,
      ),
      requestId: expect.any(String),
      plan: 'FREE',
      retryAfter,
      rateLimit: { limit: 60, remaining: 0, resetAt: new Date(resetMs).toISOString() },
    });
    metered.nowMs += retryAfter * 1_000;
    expect((await get('/burst')).statusCode).toBe(200);
  });

  test('two keys of one account share the month, not the burst', async () => {
    const limits = { burstPerMinute: 1 };
    metered.principal = testCaller('FREE', { accountId: 'org_shared', id: 'key_a' }, limits);
    expect((await get('/checks')).statusCode).toBe(200);
    expect((await get('/checks')).statusCode).toBe(429);
    metered.principal = testCaller('FREE', { accountId: 'org_shared', id: 'key_b' }, limits);
    const second = await get('/checks');
    expect(second.statusCode).toBe(200);
    expect(second.headers['x-monthly-usage']).toBe('2');
  });

  test('a dashboard session has 300 a minute per user, independent of the limit of the plan for keys', async () => {
    metered.principal = testCaller('BASIC', {
      accountId: `org_s${metered.callers}`,
      kind: 'session',
      id: 'ses_1',
    });
    const first = await get('/burst');
    expect(first.headers['x-ratelimit-limit']).toBe('300');
    expect((await get('/burst')).statusCode).toBe(200);
    metered.principal = { ...metered.principal, id: 'ses_2' };
    expect((await get('/burst')).headers['x-ratelimit-remaining']).toBe('297');
  });

  test('a route without a meter shows the headers and spends nothing', async () => {
    for (let i = 0; i < 3; i += 1) {
      const answer = await get('/quota');
      expect(answer.headers['x-ratelimit-remaining']).toBe('60');
      expect(Number(answer.headers['x-ratelimit-reset'])).toBeGreaterThan(metered.nowMs);
    }
  });
});

describe('the month', () => {
  test('headers count every check, and the 429 has the form of decisions 1.5', async () => {
    metered.principal = testCaller('PRO', { accountId: `org_m${metered.callers}` }, { checksPerMonth: 8 });
    const granted = await get('/checks?n=3');
    expect(granted.headers).toMatchObject({
      'x-monthly-usage': '3',
      'x-monthly-limit': '8',
      'x-monthly-percentage': '37.5',
    });
    const refused = await get('/checks?n=6');
    expect(refused.statusCode).toBe(429);
    const retryAfter = (Date.UTC(2026, 11, 1) - metered.nowMs) / 1_000;
    expect(refused.headers).toMatchObject({
      'x-monthly-usage': '3',
      'x-monthly-limit': '8',
      'retry-after': String(retryAfter),
      'x-ratelimit-remaining': '59',
    });
    expect(refused.json()).toEqual({
      error: 'Rate Limited',
      message: "This request needs 6 checks, and you have 5 of 8 left this month. You weren't charged.",
      requestId: expect.any(String),
      plan: 'PRO',
      usage: { current: 3, limit: 8 },
      upgradeRequired: true,
      resetsAt: '2026-12-01T00:00:00.000Z',
      retryAfter,
    });
    expect((await get('/checks?n=5')).statusCode).toBe(200);
  });

  test('a refusal of either kind spends nothing: 1,000 refused calls leave the meters unchanged', async () => {
    metered.principal = testCaller(
      'PRO',
      { accountId: `org_r${metered.callers}` },
      { checksPerMonth: 2, burstPerMinute: 10 },
    );
    await get('/checks?n=2');
    for (let batch = 0; batch < 20; batch += 1) {
      const refused = await Promise.all(Array.from({ length: 50 }, () => get('/checks?n=1')));
      expect(refused.every((answer) => answer.statusCode === 429)).toBe(true);
      expect(refused.at(-1)?.headers['x-ratelimit-remaining']).toBe('9');
    }
    expect(await usageOf()).toBe('2');
  });

  test('a call that fails validation spends the burst and no check', async () => {
    const refused = await get('/checks?n=many');
    expect(refused.statusCode).toBe(400);
    expect(refused.headers).toMatchObject({ 'x-ratelimit-remaining': '59', 'x-monthly-usage': '0' });
  });

  test('a call that fails internally or with a status that the route names is refunded', async () => {
    expect((await get('/broken')).statusCode).toBe(500);
    expect((await get('/absent')).statusCode).toBe(404);
    await eventually('both are given back', 1_000, async () => (await usageOf()) === '0');
  });

  test('trap 63: 100 parallel calls at 1 remaining unit: exactly one is granted', async () => {
    metered.principal = testCaller(
      'ENTERPRISE',
      { accountId: `org_p${metered.callers}` },
      { checksPerMonth: 100 },
    );
    await get('/checks?n=99');
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/checks')));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(99);
  });

  test.each([
    ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z'],
  ])('trap 62: %s counts in the old month, %s in the new one', async (last, first) => {
    metered.principal = testCaller('PRO', { accountId: `org_y${metered.callers}` }, { checksPerMonth: 5 });
    metered.nowMs = Date.parse(last);
    expect((await get('/checks?n=5')).headers['x-monthly-usage']).toBe('5');
    const refused = await get('/checks');
    expect(refused.json()).toMatchObject({ resetsAt: first, retryAfter: 1 });
    metered.nowMs = Date.parse(first);
    const fresh = await get('/checks');
    expect(fresh.statusCode).toBe(200);
    expect(fresh.headers['x-monthly-usage']).toBe('1');
  });
});

describe('scans', () => {
  test('are a meter and a burst of their own, and never touch checks', async () => {
    metered.principal = testCaller('BASIC', { accountId: `org_c${metered.callers}` });
    for (let i = 1; i <= 3; i += 1) {
      const answer = await scan();
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'x-scan-usage': String(i),
        'x-scan-limit': '25000',
        'x-ratelimit-limit': '600',
      });
      expect(answer.headers['x-monthly-usage']).toBeUndefined();
    }
    expect((await get('/checks')).headers['x-monthly-usage']).toBe('1');
  });

  test.each([
    [
      'FREE',
      {
        action: 'upgrade',
        options: [
          { plan: 'BASIC', scansPerMonth: 25_000 },
          { plan: 'PRO', scansPerMonth: 250_000 },
        ],
        promoCode: null,
      },
    ],
    ['BASIC', { action: 'upgrade', plan: 'PRO', scansPerMonth: 250_000 }],
    ['PRO', { action: 'quote' }],
    ['ENTERPRISE', { action: 'quote' }],
  ] as const)(
    'beyond the quota a %s account is told its options, without a link to a page that the operator does not have',
    async (plan, cta) => {
      metered.principal = testCaller(plan, { accountId: `org_q${metered.callers}` }, { scansPerMonth: 1 });
      expect((await scan()).statusCode).toBe(200);
      const refused = await scan();
      expect(refused.statusCode).toBe(429);
      const retryAfter = (Date.UTC(2026, 11, 1) - metered.nowMs) / 1_000;
      expect(refused.headers).toMatchObject({
        'x-scan-usage': '1',
        'x-scan-limit': '1',
        'retry-after': String(retryAfter),
      });
      expect(refused.json()).toEqual({
        error: 'Scan quota exceeded',
        message: 'You have used your 1 scan for this month. Your quota resets on 2026-12-01 at 00:00 UTC.',
        requestId: expect.any(String),
        usage: 1,
        limit: 1,
        retryAfter,
        resetsAt: '2026-12-01T00:00:00.000Z',
        docs: 'https://api.example.test/docs#limits',
        upgradeRequired: plan === 'FREE' || plan === 'BASIC',
        cta,
      });
    },
  );

  test('a suspended subscription is told that billing is the reason', async () => {
    metered.principal = testCaller(
      'PRO',
      { accountId: `org_b${metered.callers}`, status: 'suspended' },
      { scansPerMonth: 0 },
    );
    expect((await scan()).json()).toMatchObject({ error: 'Scan quota exceeded', billingIssue: true });
  });
});
