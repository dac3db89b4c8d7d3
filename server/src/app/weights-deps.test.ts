import { expect, test } from 'vitest';
import type { SignalBook } from '#capabilities/signals/index.ts';
import { NO_SIGNALS, type SignalFacts } from '#domain/scoring/index.ts';
import { suspicionOf } from './weights-deps.ts';

const suspects = (facts: Partial<SignalFacts> | null, host = 'login-wallet.example.org'): boolean => {
  const signalsOf: SignalBook['signalsOf'] = () => (facts === null ? null : { ...NO_SIGNALS, ...facts });
  return suspicionOf({ signalsOf } as SignalBook)(host);
};

test('a name is suspected when a signal about names is raised', () => {
  expect(suspects({ imitates: 'paypal.com' })).toBe(true);
});

test('a crowded network, no signal and a text that is no name raise no suspicion', () => {
  expect(suspects({ neighbourhood: 'dense' })).toBe(false);
  expect(suspects(null)).toBe(false);
  expect(suspects({ imitates: 'paypal.com' }, 'no host')).toBe(false);
});
