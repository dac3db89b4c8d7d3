import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICES: 'PRO:MONTHLY=price_1',
};

test('without settings there is no listener of operators, no payment provider and no canary', () => {
  const config = loadConfig({});
  expect([config.ADMIN_PORT, config.ADMIN_HOST]).toEqual([undefined, '127.0.0.1']);
  expect([config.STRIPE_SECRET_KEY, config.CANARY_KEY, config.STRIPE_PRICES.size]).toEqual([
    undefined,
    undefined,
    0,
  ]);
});

test('a payment provider needs its signing secret and a price', () => {
  expect(loadConfig(STRIPE).STRIPE_PRICES.get('PRO:MONTHLY')).toBe('price_1');
  expect(() => loadConfig({ ...STRIPE, STRIPE_WEBHOOK_SECRET: '' })).toThrow(
    'STRIPE_WEBHOOK_SECRET is missing',
  );
  expect(() => loadConfig({ ...STRIPE, STRIPE_PRICES: '' })).toThrow('STRIPE_PRICES is empty');
});

test.each([
  'PRO=price_1',
  'FREE:MONTHLY=price_1',
  'PRO:MONTHLY=a,PRO:MONTHLY=b',
  'PRO:MONTHLY=a,BASIC:MONTHLY=a',
])('the prices %j are refused with an example', (prices) => {
  expect(() => loadConfig({ ...STRIPE, STRIPE_PRICES: prices })).toThrow('PRO:MONTHLY=price_1AbC');
});
