import { expect, test } from 'vitest';
import { proofWays, providerToAsk } from './proof-ways.ts';

test('a refusal for another reason asks for no proof', () => {
  expect(proofWays({ error: 'Forbidden' }, true)).toEqual([]);
  expect(proofWays({ confirmationRequired: false }, true)).toEqual([]);
});

test('an old proof is renewed with the password first', () => {
  expect(proofWays({ confirmationRequired: true }, true)).toEqual(['password', 'code', 'passkey']);
  expect(proofWays({ confirmationRequired: true }, false)).toEqual(['password', 'code']);
});

test('where a factor has to be shown, the password is not offered', () => {
  const asked = { confirmationRequired: true, factorNeeded: ['passkey', 'totp', 'recovery'] };
  expect(proofWays(asked, true)).toEqual(['passkey', 'code']);
  expect(proofWays({ ...asked, factorNeeded: ['passkey'] }, false)).toEqual([]);
});

test('a session of single sign-on is sent to its provider and asked for nothing else', () => {
  const refusal = { confirmationRequired: true, organizationId: 'org_1' };
  expect(proofWays(refusal, true)).toEqual([]);
  expect(providerToAsk(refusal)).toBe('org_1');
  expect(providerToAsk({ organizationId: 'org_1' })).toBeNull();
});
