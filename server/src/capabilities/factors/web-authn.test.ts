import { expect, test } from 'vitest';
import { createAuthenticator } from '#test/authenticator.ts';
import { readAssertion, readCreation, relyingPartyOf } from './web-authn.ts';

const WEB = 'https://app.example.com';
const party = relyingPartyOf(WEB);
const authenticator = createAuthenticator(WEB, () => 'usr_1');
const away = new Error('Connection terminated unexpectedly');
const taken = async () => true;
const failing = () => Promise.reject(away);

test('a challenge that cannot be looked up is a failure of the service, not of the passkey (reliability A1)', async () => {
  const creation = authenticator.create('challenge');
  await expect(readCreation(party, creation, failing)).rejects.toBe(away);
  const made = await readCreation(party, creation, taken);
  if (made instanceof Error) throw made;
  const passkey = { ...made, userId: 'usr_1' };
  await expect(readAssertion(party, authenticator.assert('challenge'), passkey, failing)).rejects.toBe(away);
  expect(await readAssertion(party, authenticator.assert('challenge'), passkey, taken)).toEqual({
    counter: 2,
  });
});

test('an unknown challenge refuses the passkey', async () => {
  const refused = await readCreation(party, authenticator.create('challenge'), async () => false);
  expect(refused).toBeInstanceOf(Error);
});
