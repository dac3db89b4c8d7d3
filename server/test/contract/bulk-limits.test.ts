import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanChange } from '#capabilities/access/index.ts';
import type { ServiceAccount } from '#test/service-accounts.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';

let running: SharedService;
let accountNumber = 0;

beforeAll(async () => {
  running = await sharedService('bulk-limits');
}, 600_000);
afterAll(() => running?.stop());

const newAccount = (plan: PlanChange): Promise<ServiceAccount> => {
  accountNumber += 1;
  return running.accounts.newAccount(`bulk-${accountNumber}@example.com`, plan);
};

async function ask(method: 'GET' | 'POST', credential: string, body?: unknown) {
  const answer = await fetch(`${running.service.url}/bulk/check`, {
    method,
    headers: {
      ...(credential !== '' && { 'X-API-KEY': credential }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const usage = answer.headers.get('x-monthly-usage');
  return {
    status: answer.status,
    headers: answer.headers,
    usage: usage === null ? null : Number(usage),
    remaining: Number(answer.headers.get('x-ratelimit-remaining')),
    body: (await answer.json()) as Record<string, unknown>,
  };
}
const bulk = ({ credential }: ServiceAccount, entities: unknown, more: object = {}) =>
  ask('POST', credential, { entities, ...more });
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `host-${i}.example.com`);

describe('GET /bulk/check (G57)', () => {
  test('names the plan and its billing, if any, and costs the burst only', async () => {
    const yearly = await newAccount({ plan: 'ENTERPRISE', billing: 'YEARLY' });
    const { status, body, headers } = await ask('GET', yearly.credential);
    expect(status).toBe(200);
    expect(body).toEqual({
      endpoint: '/api/bulk/check',
      method: 'POST',
      description: expect.any(String),
      authentication: expect.any(String),
      limits: {
        currentPlan: 'ENTERPRISE_YEARLY',
        maxEntitiesPerRequest: 500,
        allPlans: {
          FREE: 10,
          BASIC_MONTHLY: 50,
          BASIC_YEARLY: 50,
          PRO_MONTHLY: 100,
          PRO_YEARLY: 100,
          ENTERPRISE_MONTHLY: 500,
          ENTERPRISE_YEARLY: 500,
        },
      },
    });
    expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
    expect(headers.get('x-monthly-usage')).toBeNull();
  });

  test('a plan without billing is named alone; a subscription with its own cap shows that cap', async () => {
    const free = await newAccount({ plan: 'FREE' });
    expect((await ask('GET', free.credential)).body.limits).toMatchObject({
      currentPlan: 'FREE',
      maxEntitiesPerRequest: 10,
    });
    const raised = await newAccount({ plan: 'PRO', limits: { bulkEntities: 120 } });
    expect((await ask('GET', raised.credential)).body.limits).toMatchObject({
      currentPlan: expect.stringMatching(/^PRO/),
      maxEntitiesPerRequest: 120,
    });
  });

  test('401 without a credential, for both methods', async () => {
    expect((await ask('GET', '')).status).toBe(401);
    expect((await ask('POST', '', { entities: ['a.com'] })).status).toBe(401);
  });
});

describe('POST /bulk/check, caps', () => {
  test('trap 18: eleven entities on FREE are refused with a body in both error shapes, and nothing is charged', async () => {
    const free = await newAccount({ plan: 'FREE' });
    const before = await bulk(free, names(1));
    const { status, body, usage, remaining } = await bulk(free, names(11));
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'Bad Request',
      message: 'Plan FREE allows up to 10 entities per request; 11 were submitted.',
      requestId: expect.any(String),
      details: [
        {
          path: 'entities',
          message: 'Plan FREE allows up to 10 entities per request; 11 were submitted.',
        },
      ],
      success: false,
      total: 11,
      processed: 0,
      results: [],
      errors: ['Plan FREE allows up to 10 entities per request; 11 were submitted.'],
    });
    expect(usage).toBe(before.usage);
    expect(remaining).toBe(before.remaining - 1);
  });

  test('trap 18: the raw length counts: ten entities and one duplicate of them are refused too', async () => {
    const free = await newAccount({ plan: 'FREE' });
    expect((await bulk(free, [...names(10), 'host-0.example.com'])).status).toBe(400);
    expect(await bulk(free, names(10))).toMatchObject({ status: 200, usage: 10, body: { processed: 10 } });
  });

  test.each([
    ['BASIC', 50],
    ['PRO', 100],
    ['ENTERPRISE', 500],
  ] as const)('%s may send %i entities at once and not one more', async (plan, cap) => {
    const account = await newAccount({ plan, limits: { burstPerMinute: 100 } });
    expect(await bulk(account, names(cap))).toMatchObject({ status: 200, usage: cap, body: { total: cap } });
    expect(await bulk(account, names(cap + 1))).toMatchObject({ status: 400, usage: cap });
  });

  test('500 entities of 2,048 characters fit into a body', async () => {
    const large = await newAccount({ plan: 'ENTERPRISE' });
    const entities = Array.from({ length: 500 }, (_, i) => `http://example.com/${i}-`.padEnd(2_048, 'x'));
    expect(await bulk(large, entities)).toMatchObject({ status: 200, body: { processed: 500 } });
  });
});

describe('POST /bulk/check, refusals of the body', () => {
  test('an empty list, a non-string, a long item, an unknown format or level: 400 with the field, and no charge', async () => {
    const account = await newAccount({ plan: 'PRO' });
    const before = await bulk(account, ['a.com']);
    const refusals: readonly (readonly [path: string, entities: unknown, more?: object])[] = [
      ['entities', []],
      ['entities', 'a.com'],
      ['entities.1', ['a.com', 7]],
      ['entities.2', ['a.com', 'b.com', 'x'.repeat(2_049)]],
      ['format', ['a.com'], { format: 'xml' }],
      ['enrichment', ['a.com'], { enrichment: 'deep' }],
    ];
    for (const [path, entities, more] of refusals) {
      const { status, body, usage } = await bulk(account, entities, more);
      expect(status, path).toBe(400);
      expect(body).toMatchObject({ error: 'Bad Request', details: [{ path }] });
      expect(usage).toBe(before.usage);
    }
  });

  test('a body that is not JSON is 400, one over 1 MiB is 413, another media type 415', async () => {
    const { credential } = await newAccount({ plan: 'PRO' });
    expect((await ask('POST', credential, '{"entities":')).status).toBe(400);
    const big = { entities: ['a.com'], note: 'x'.repeat(1024 * 1024) };
    expect((await ask('POST', credential, big)).status).toBe(413);
    const plain = await fetch(`${running.service.url}/bulk/check`, {
      method: 'POST',
      headers: { 'X-API-KEY': credential, 'Content-Type': 'text/plain' },
      body: 'a.com',
    });
    expect(plain.status).toBe(415);
  });
});

describe('POST /bulk/check, charges', () => {
  test('trap 19: three spellings of one name are one row, in the first spelling, and one check', async () => {
    const account = await newAccount({ plan: 'FREE' });
    const { body, usage } = await bulk(account, ['A.com', 'a.com ', ' a.com']);
    expect(usage).toBe(1);
    expect(body).toMatchObject({
      success: true,
      total: 3,
      processed: 1,
      results: [{ entity: 'A.com', type: 'domain' }],
      errors: ['2 duplicates were skipped and not charged.'],
    });
  });

  test('an entity that is too short, a duplicate or not an indicator costs nothing', async () => {
    const account = await newAccount({ plan: 'FREE' });
    const { body, usage } = await bulk(account, ['a.com', 'A.COM', 'x', '', 'no indicator', '10.0.0.0/8']);
    expect(usage).toBe(1);
    expect(body).toMatchObject({ total: 6, processed: 1, results: [{}, {}, {}] });
    const nothing = await bulk(account, ['x']);
    expect(nothing).toMatchObject({
      status: 200,
      usage: 1,
      body: { success: true, processed: 0, results: [] },
    });
  });

  test('1.4: a batch that the month cannot pay for is refused whole with 429 and charges nothing', async () => {
    const account = await newAccount({ plan: 'PRO', limits: { checksPerMonth: 12 } });
    const first = await bulk(account, names(8));
    expect(first.usage).toBe(8);
    const refused = await bulk(account, names(5));
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      error: 'Rate Limited',
      message: expect.stringContaining('needs 5 checks, and you have 4 of 12 left'),
      usage: { current: 8, limit: 12 },
    });
    expect(refused.usage).toBe(8);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Duplicates are free, so the remaining units pay for the four distinct names.
    expect(await bulk(account, [...names(4), ...names(4)])).toMatchObject({ status: 200, usage: 12 });
  });
});
