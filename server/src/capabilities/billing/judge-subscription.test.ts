import { describe, expect, test } from 'vitest';
import { judgeSubscriptions } from './judge-subscription.ts';
import type { ProviderSubscription } from './provider.ts';
import { newsOf, subscriptionOf } from './stripe/read-stripe.ts';

const PRICES = new Map([
  ['PRO:YEARLY', 'price_1'],
  ['BASIC:MONTHLY', 'price_b'],
]);
const told = (status: string, price = 'price_1', id = 'sub_1'): ProviderSubscription =>
  subscriptionOf(
    {
      id,
      customer: { id: 'cus_1' },
      status,
      items: { data: [{ price: { id: price } }] },
      current_period_end: 9,
    },
    PRICES,
  );

test.each([
  ['active', { plan: 'PRO', billing: 'YEARLY', status: 'active' }],
  ['trialing', { plan: 'PRO', billing: 'YEARLY', status: 'trialing' }],
  ['past_due', { plan: 'PRO', billing: 'YEARLY', status: 'past_due' }],
  ['unpaid', { plan: 'PRO', billing: 'YEARLY', status: 'suspended' }],
  ['paused', { plan: 'PRO', billing: 'YEARLY', status: 'suspended' }],
  ['canceled', { plan: 'FREE', billing: null, status: 'canceled' }],
  ['incomplete_expired', { plan: 'FREE', billing: null, status: 'canceled' }],
])('a subscription that is %s', (status, change) => {
  expect(judgeSubscriptions(told(status), [])).toMatchObject({ kind: 'change', change });
});

test.each(['incomplete', 'a word of tomorrow'])('a subscription that is %s changes nothing', (status) => {
  expect(judgeSubscriptions(told(status), []).kind).toBe('nothing');
});

test('a price that is not sold here gives nothing, and keeps no plan after the end of one that is', () => {
  const other = told('active', 'price_2', 'sub_2');
  expect(judgeSubscriptions(other, []).kind).toBe('nothing');
  expect(judgeSubscriptions(told('canceled'), [other])).toMatchObject({ change: { plan: 'FREE' } });
});

describe('of several subscriptions the highest that is paid for counts', () => {
  const basic = (status: string) => told(status, 'price_b', 'sub_b');
  test.each([
    ['the end of the higher one', told('canceled'), basic('active'), 'BASIC', 'sub_b'],
    ['the end of the lower one', basic('canceled'), told('active'), 'PRO', 'sub_1'],
    ['the renewal of the lower one', basic('active'), told('active'), 'PRO', 'sub_1'],
    ['a payment of the higher one that is late', told('past_due'), basic('active'), 'PRO', 'sub_1'],
    ['the suspension of the higher one', told('unpaid'), basic('active'), 'BASIC', 'sub_b'],
    ['a first payment that is missing', told('incomplete'), basic('active'), 'BASIC', 'sub_b'],
  ])('%s', (_what, event, other, plan, id) => {
    expect(judgeSubscriptions(event, [other])).toMatchObject({ change: { plan }, subscription: { id } });
    // The list of the provider may hold the subscription of the event as well, read a moment later.
    expect(judgeSubscriptions(event, [other, event])).toMatchObject({ change: { plan } });
  });

  test('the end of both is FREE', () => {
    expect(judgeSubscriptions(told('canceled'), [basic('canceled')])).toMatchObject({
      change: { plan: 'FREE', status: 'canceled' },
      subscription: null,
    });
  });
});

test('an event names its subscription and its account, whichever form the provider uses', () => {
  const object = { subscription: { id: 'sub_1' }, client_reference_id: 'org_1' };
  expect(newsOf({ id: 'evt_1', type: 'checkout.session.completed', data: { object } })).toMatchObject({
    subscriptionId: 'sub_1',
    accountId: 'org_1',
  });
  const changed = { id: 'sub_2', metadata: { account_id: 'usr_1' } };
  expect(
    newsOf({ id: 'evt_2', type: 'customer.subscription.deleted', data: { object: changed } }),
  ).toMatchObject({
    subscriptionId: 'sub_2',
    accountId: 'usr_1',
  });
  expect(
    newsOf({ id: 'evt_3', type: 'invoice.paid', data: { object: { id: 'in_1' } } }).subscriptionId,
  ).toBeNull();
});
