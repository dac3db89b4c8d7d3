import { expect, test } from 'vitest';
import { proofWays } from './proof-ways.ts';

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
