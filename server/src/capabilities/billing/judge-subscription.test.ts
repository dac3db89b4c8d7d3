import { expect, test } from 'vitest';
import { judgeSubscription } from './judge-subscription.ts';
import type { ProviderSubscription } from './provider.ts';
import { newsOf, subscriptionOf } from './stripe/read-stripe.ts';

const PRICES = new Map([['PRO:YEARLY', 'price_1']]);
const told = (status: string, price = 'price_1'): ProviderSubscription =>
  subscriptionOf(
    {
      id: 'sub_1',
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
  expect(judgeSubscription(told(status), undefined)).toMatchObject({ kind: 'change', change });
});

test.each(['incomplete', 'a word of tomorrow'])('a subscription that is %s changes nothing', (status) => {
  expect(judgeSubscription(told(status), undefined).kind).toBe('nothing');
});

test('a price that is not sold here gives nothing; the end of a replaced subscription takes nothing', () => {
  expect(judgeSubscription(told('active', 'price_2'), undefined).kind).toBe('nothing');
  expect(judgeSubscription(told('canceled'), { subscriptionId: 'sub_2' }).kind).toBe('nothing');
  expect(judgeSubscription(told('canceled'), { subscriptionId: 'sub_1' }).kind).toBe('change');
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
