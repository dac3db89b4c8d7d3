import { expect, test } from 'vitest';
import type { Caller } from '#capabilities/access/index.ts';
import { limitsOf, PLAN_LIMITS } from '#domain/plans/plans.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import type { BillingProvider, Order } from './provider.ts';
import { type BillingDeps, billingRoutes } from './routes.ts';

const RESETS_AT = '2027-02-01T00:00:00.000Z';
const REPLIES = { report: 0, case: 0, inventory: 0, webhook: 0, watch: 0, indicator: 0, reply: 300 };
const PRO: Caller = {
  ...CALLER,
  plan: 'PRO',
  billing: 'YEARLY',
  status: 'active',
  limits: limitsOf('PRO', 'active', { checksPerMonth: 12_000 }),
  keyId: 'key_01',
};

function open(caller: Caller, parts: Partial<BillingDeps> = {}) {
  return testApp(
    billingRoutes({
      provider: null,
      customerOf: async () => undefined,
      applyNews: async () => undefined,
      monthOf: async () => ({
        checks: { used: 30, limit: caller.limits.checksPerMonth },
        scans: { used: 2, limit: caller.limits.scansPerMonth },
        resetsAtMs: Date.parse(RESETS_AT),
      }),
      indicatorsToday: async () => 5,
      watchedItems: async () => 7,
      storageOf: async (_account, { storageBytes }) => ({ used: 300, limit: storageBytes, byKind: REPLIES }),
      ...parts,
    }),
    { gates: recordedGates({ identify: () => caller }).gates },
  );
}

test('GET /subscription: the plan with the figures of this account', async () => {
  const answer = await open(PRO).inject('/subscription');
  expect(answer.json()).toEqual({
    plan: 'PRO',
    billing: 'YEARLY',
    status: 'active',
    limits: { ...PLAN_LIMITS.PRO, checksPerMonth: 12_000 },
    usage: { checks: 30, scans: 2, resetsAt: RESETS_AT },
    periodEnd: null,
  });
});

test('GET /subscription: periodEnd is the end of what is paid for', async () => {
  const periodEndMs = Date.parse(RESETS_AT);
  const app = open(PRO, { customerOf: async () => ({ customerId: 'cus_1', periodEndMs }) });
  expect((await app.inject('/subscription')).json().periodEnd).toBe(RESETS_AT);
});

test('GET /subscription: while suspended the monthly limits are those of FREE', async () => {
  const late: Caller = { ...PRO, status: 'suspended', limits: limitsOf('PRO', 'suspended', null) };
  const answer = await open(late).inject('/subscription');
  expect(answer.json()).toMatchObject({
    status: 'suspended',
    limits: { checksPerMonth: 500, scansPerMonth: 1_000 },
  });
});

test('GET /metrics/subscription: every meter; without an organization there are no indicators', async () => {
  const answer = await open(PRO).inject('/metrics/subscription');
  expect(answer.json()).toEqual({
    plan: 'PRO',
    monthly: { used: 30, limit: 12_000, resetsAt: RESETS_AT },
    scans: { used: 2, limit: 250_000, resetsAt: RESETS_AT },
    burst: { limit: 60 },
    indicators: { today: 5, limit: 200 },
    watches: { used: 7, limit: 250 },
    storage: { used: 300, limit: 21_474_836_480, byKind: REPLIES },
  });
  const alone = await open({ ...PRO, organizationId: null }).inject('/metrics/subscription');
  expect(alone.json().indicators).toEqual({ today: 0, limit: 0 });
});

test('GET /billing/plans: the published table of contract 8.1, for everyone', async () => {
  const { plans } = (await open(PRO).inject('/api/billing/plans')).json();
  expect(
    plans.map(({ plan, billings }: { plan: string; billings: string[] }) => [plan, billings.length]),
  ).toEqual([
    ['FREE', 0],
    ['BASIC', 2],
    ['PRO', 2],
    ['ENTERPRISE', 2],
  ]);
  expect(plans[1].limits).toEqual(PLAN_LIMITS.BASIC);
});

test.each([
  ['/billing/checkout', { plan: 'PRO', billing: 'MONTHLY' }, 409, undefined],
  ['/billing/portal', undefined, 409, undefined],
  ['/billing/webhook', { id: 'evt_1', type: 'x' }, 503, '86400'],
] as const)(
  'POST %s without a provider says what to do, and only the webhook asks for a retry',
  async (...row) => {
    const [url, payload, status, retryAfter] = row;
    const answer = await open(PRO).inject({ method: 'POST', url, ...(payload && { payload }) });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, retryAfter]);
    expect(answer.json().message).toContain('Ask its operator');
  },
);

test('checkout and portal hand the account to the provider and answer with its page', async () => {
  const orders: (Order | string)[] = [];
  const provider: BillingProvider = {
    checkout: async (order) => `https://pay.example.com/${orders.push(order)}`,
    portal: async (customer) => `https://pay.example.com/${orders.push(customer)}`,
    readNews: () => {
      throw new Error('No event was sent.');
    },
    readSubscription: () => Promise.reject(new Error('No event was sent.')),
    listSubscriptions: () => Promise.reject(new Error('No event was sent.')),
  };
  const customerOf = async () => ({ customerId: 'cus_1', periodEndMs: null });
  const app = open(PRO, { provider, customerOf });
  expect((await open(PRO, { provider }).inject({ method: 'POST', url: '/billing/portal' })).statusCode).toBe(
    409,
  );
  const bought = await app.inject({
    method: 'POST',
    url: '/billing/checkout',
    payload: { plan: 'BASIC', billing: 'YEARLY', accountId: 'org_02' },
  });
  expect(bought.json()).toEqual({ url: 'https://pay.example.com/1' });
  expect((await app.inject({ method: 'POST', url: '/billing/portal' })).json()).toEqual({
    url: 'https://pay.example.com/2',
  });
  expect(orders).toEqual([
    { accountId: 'org_01', userId: 'usr_01', plan: 'BASIC', billing: 'YEARLY', customerId: 'cus_1' },
    'cus_1',
  ]);
  for (const payload of [{ plan: 'FREE', billing: 'YEARLY' }, { plan: 'PRO' }, {}])
    expect((await app.inject({ method: 'POST', url: '/billing/checkout', payload })).statusCode).toBe(400);
});
