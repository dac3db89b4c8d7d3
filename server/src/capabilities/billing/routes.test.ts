import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, listAudit, setPlan } from '#capabilities/access/index.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { OPERATOR } from '#test/access.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { CALLER, capturedLog, recordedGates, testApp } from '#test/http-app.ts';
import {
  STRIPE_KEY,
  STRIPE_SECRET,
  startStripePeer,
  stripeDelivery,
  stripeSignature,
} from '#test/peers/stripe-peer.ts';
import { billingRoutes, openBilling } from './routes.ts';
import { openStripe } from './stripe/open-stripe.ts';

let nowMs = Date.UTC(2027, 4, 3, 12);
const clock = { now: () => nowMs, monotonic: () => performance.now() };
const { log } = capturedLog('silent');
const PRICES = new Map([
  ['PRO:MONTHLY', 'price_pro_m'],
  ['BASIC:YEARLY', 'price_basic_y'],
]);
const PERIOD_END_S = Date.UTC(2027, 5, 3) / 1_000;

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let outbound: Outbound;
let stripe: Awaited<ReturnType<typeof startStripePeer>>;
let app: FastifyInstance;
let caller = CALLER;
let account = '';

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 8 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  stripe = await startStripePeer();
  outbound = createOutbound({ log, clock, allow: [`127.0.0.1/32:${stripe.port}`] });
  const provider = openStripe({
    clock,
    outbound,
    apiUrl: stripe.url,
    secretKey: STRIPE_KEY,
    webhookSecret: STRIPE_SECRET,
    prices: PRICES,
    returnUrl: 'https://app.example.com/app/usage',
  });
  const parts = openBilling({ clock, log, system, postgres });
  const month = { used: 0, limit: 1 };
  app = testApp(
    billingRoutes({
      ...parts,
      provider,
      monthOf: async () => ({ checks: month, scans: month, resetsAtMs: nowMs }),
      watchedItems: async () => 0,
      indicatorsToday: async () => 0,
      storageOf: async () => ({
        used: 0,
        limit: 0,
        byKind: { report: 0, case: 0, inventory: 0, webhook: 0, watch: 0, indicator: 0, reply: 0 },
      }),
    }),
    { clock, gates: recordedGates({ identify: () => caller }).gates },
  );
  account = await createUser({ postgres: system, clock }, OPERATOR, 'buyer@example.com');
  caller = { ...CALLER, kind: 'session', accountId: account, userId: account, organizationId: null };
});
afterAll(async () => {
  await app?.close();
  await outbound?.close();
  await Promise.all([stripe?.close(), system?.close(), postgres?.close()]);
  await database?.drop();
});

const subscription = (id: string, status: string, price = 'price_pro_m') =>
  stripe.put({ id, customer: 'cus_1', status, price, accountId: account, periodEndS: PERIOD_END_S });

const post = (delivery: { readonly payload: string; readonly headers: Readonly<Record<string, string>> }) =>
  app.inject({ method: 'POST', url: '/billing/webhook', ...delivery });

const tell = (id: string, type: string, object: object) =>
  post(stripeDelivery({ id, type, object }, { atMs: nowMs }));

const planNow = async () =>
  (
    await sql<{ plan: string; billing: string | null; status: string }>`
      select plan, billing, status from subscription where account_id = ${account}`.execute(system.db)
  ).rows[0];

/** How many `plan.changed` events the account has: one for each change of its plan. */
const toldOfPlans = async () =>
  (
    await sql`select 1 from event_outbox where type = 'plan.changed' and account_id = ${account}`.execute(
      system.db,
    )
  ).rows.length;

const planLines = async () =>
  (await listAudit(system.db, { accountId: account, before: null, limit: 100 })).filter(
    ({ action }) => action === 'plan.set',
  );

test('a bad signature and one older than five minutes are 400 and change nothing', async () => {
  subscription('sub_1', 'active');
  const event = { id: 'evt_0', type: 'customer.subscription.updated', object: { id: 'sub_1' } };
  const good = stripeDelivery(event, { atMs: nowMs });
  const bad = [
    stripeDelivery(event, { atMs: nowMs, secret: 'whsec_other' }),
    stripeDelivery(event, { atMs: nowMs - 301_000 }),
    stripeDelivery(event, { atMs: nowMs + 301_000 }),
    { ...good, payload: `${good.payload} ` },
    { ...good, headers: { 'content-type': 'application/json' } },
    { ...good, headers: { ...good.headers, 'stripe-signature': 'v1=00' } },
  ];
  for (const delivery of bad) {
    const answer = await post(delivery);
    expect(answer.statusCode, answer.body).toBe(400);
  }
  const signedNonsense = {
    payload: '{"id":1}',
    headers: { ...good.headers, ...stripeSignature('{"id":1}', nowMs) },
  };
  expect((await post(signedNonsense)).statusCode).toBe(400);
  expect([await planNow(), stripe.asked]).toEqual([undefined, []]);
});

test('checkout opens a page for this account and price; the portal needs a customer', async () => {
  const bought = await app.inject({
    method: 'POST',
    url: '/billing/checkout',
    payload: { plan: 'PRO', billing: 'MONTHLY' },
  });
  expect(bought.json()).toEqual({ url: 'https://checkout.stripe.example/cs_1' });
  expect(stripe.asked.at(-1)).toEqual({
    path: '/v1/checkout/sessions',
    fields: expect.objectContaining({
      client_reference_id: account,
      'subscription_data[metadata][account_id]': account,
      'line_items[0][price]': 'price_pro_m',
    }),
  });
  const notSold = { plan: 'ENTERPRISE', billing: 'YEARLY' };
  expect((await app.inject({ method: 'POST', url: '/billing/checkout', payload: notSold })).statusCode).toBe(
    400,
  );
  expect((await app.inject({ method: 'POST', url: '/billing/portal' })).statusCode).toBe(409);
});

test('a paid checkout changes the plan once, however often it is delivered, and is audited', async () => {
  const object = {
    object: 'checkout.session',
    id: 'cs_1',
    subscription: 'sub_1',
    client_reference_id: account,
  };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => tell('evt_1', 'checkout.session.completed', object)),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(await planNow()).toEqual({ plan: 'PRO', billing: 'MONTHLY', status: 'active' });
  expect(await planLines()).toEqual([expect.objectContaining({ actorKind: 'system', actorId: 'billing' })]);
  await setPlan({ postgres: system, clock }, OPERATOR, account, { plan: 'ENTERPRISE' });
  expect((await tell('evt_1', 'checkout.session.completed', object)).statusCode).toBe(200);
  expect((await planNow())?.plan).toBe('ENTERPRISE');
  await setPlan({ postgres: system, clock }, OPERATOR, account, { plan: 'PRO' });
});

test('events say only that something changed: the newest state counts in whichever order they come', async () => {
  nowMs += 1_000;
  subscription('sub_1', 'unpaid');
  const before = (await planLines()).length;
  await tell('evt_3', 'customer.subscription.updated', { id: 'sub_1', status: 'past_due' });
  await tell('evt_2', 'customer.subscription.updated', { id: 'sub_1', status: 'active' });
  expect((await planNow())?.status).toBe('suspended');
  expect((await planLines()).length).toBe(before + 1);
});

test('the end of a subscription is FREE; the end of one that was replaced before takes nothing away', async () => {
  nowMs += 1_000;
  subscription('sub_2', 'active', 'price_basic_y');
  await tell('evt_4', 'customer.subscription.created', { id: 'sub_2' });
  subscription('sub_1', 'canceled');
  await tell('evt_5', 'customer.subscription.deleted', { id: 'sub_1' });
  expect(await planNow()).toEqual({ plan: 'BASIC', billing: 'YEARLY', status: 'active' });
  const portal = await app.inject({ method: 'POST', url: '/billing/portal' });
  expect(portal.json()).toEqual({ url: 'https://billing.stripe.example/bps_1' });
  expect(stripe.asked.at(-1)?.fields.customer).toBe('cus_1');
  nowMs += 1_000;
  subscription('sub_2', 'canceled');
  const told = await toldOfPlans();
  await tell('evt_6', 'customer.subscription.deleted', { id: 'sub_2' });
  expect(await planNow()).toEqual({ plan: 'FREE', billing: null, status: 'canceled' });
  expect(await toldOfPlans()).toBe(told + 1);
});

test('an event whose state cannot be read, or whose price is unknown, is 503 and applied when it comes again', async () => {
  nowMs += 1_000;
  subscription('sub_3', 'active');
  stripe.state.isAway = true;
  expect((await tell('evt_7', 'customer.subscription.created', { id: 'sub_3' })).statusCode).toBe(503);
  stripe.state.isAway = false;
  subscription('sub_3', 'active', 'price_new');
  expect((await tell('evt_7', 'customer.subscription.created', { id: 'sub_3' })).statusCode).toBe(503);
  subscription('sub_3', 'active');
  expect((await tell('evt_7', 'customer.subscription.created', { id: 'sub_3' })).statusCode).toBe(200);
  expect((await planNow())?.plan).toBe('PRO');
});

test('of two paid subscriptions the higher one counts, whichever ends or is renewed', async () => {
  const plans: (string | undefined)[] = [];
  const tellOf = async (id: string, subscriptionId: string) => {
    nowMs += 1_000;
    expect((await tell(id, 'customer.subscription.updated', { id: subscriptionId })).statusCode).toBe(200);
    plans.push((await planNow())?.plan);
  };
  subscription('sub_3', 'active');
  subscription('sub_4', 'active', 'price_basic_y');
  await tellOf('evt_10', 'sub_4');
  await tellOf('evt_11', 'sub_3');
  subscription('sub_3', 'canceled');
  await tellOf('evt_12', 'sub_3');
  const { rows } = await sql`
    select subscription_id as id from billing_customer where account_id = ${account}`.execute(system.db);
  // Bought without a stored customer: the subscription of another customer of the same account.
  const { id, ...bought } = { id: 'sub_5', status: 'active', price: 'price_pro_m', accountId: account };
  stripe.put({ id, ...bought, customer: 'cus_2', periodEndS: PERIOD_END_S });
  await tellOf('evt_13', 'sub_5');
  subscription('sub_4', 'canceled');
  await tellOf('evt_14', 'sub_4');
  stripe.put({ id, ...bought, customer: 'cus_2', status: 'canceled' });
  await tellOf('evt_15', 'sub_5');
  expect(rows).toEqual([{ id: 'sub_4' }]);
  expect(plans).toEqual(['PRO', 'PRO', 'BASIC', 'PRO', 'PRO', 'FREE']);
});

test('events about anything else, and of accounts that are not here, are 200 and change nothing', async () => {
  stripe.put({
    id: 'sub_9',
    customer: 'cus_9',
    status: 'active',
    price: 'price_pro_m',
    accountId: 'usr_none',
  });
  const before = await planLines();
  expect((await tell('evt_8', 'invoice.paid', { id: 'in_1' })).statusCode).toBe(200);
  expect((await tell('evt_9', 'customer.subscription.created', { id: 'sub_9' })).statusCode).toBe(200);
  expect(await planLines()).toEqual(before);
  const { rows } = await sql<{ outcome: string }>`
    select outcome from billing_event where id in ('evt_8', 'evt_9') order by id`.execute(system.db);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['concerns no plan', 'no such account']);
});

test('a customer of one account is not seen by another', async () => {
  const seen = await postgres.withAccount('usr_other', (tx) =>
    sql`select 1 from billing_customer`.execute(tx).then(({ rows }) => rows.length),
  );
  expect(seen).toBe(0);
});
