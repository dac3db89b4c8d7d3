import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR, WEB_URL } from '#test/access.ts';
import { cookieOf, cookiesOf, createTestAccounts, type TestAccounts } from '#test/accounts.ts';
import { createAuthenticator } from '#test/authenticator.ts';
import { newVisitor, PASSWORD, type Visitor, visitorOf } from '#test/factors.ts';
import { resetFactors } from './factors.ts';

/** Second factors (O47, O48) over the whole HTTP stack: how they are set up, used and removed. */
let t: TestAccounts;
beforeAll(async () => {
  t = await createTestAccounts();
});
afterAll(() => t?.close());

const login = (email: string, password = PASSWORD) => t.post('/api/auth/login', { email, password });
const actionsOf = async (accountId: string): Promise<readonly string[]> =>
  (
    await t.owner.query('select action from audit_entry where account_id = $1 order by at, id', [accountId])
  ).rows.map(({ action }) => action);
const letterCount = async (email: string) =>
  (await t.lettersTo(email)).filter(({ kind }) => kind === 'factor-changed').length;
const challenge = async () => (await t.post('/api/auth/passkey/options', {})).json().challenge;
const factorsOf = async (visitor: Visitor) =>
  (await visitor.get('/api/auth/sessions'))
    .json()
    .sessions.find((each: { isCurrent: boolean }) => each.isCurrent);

describe('an authenticator app', () => {
  test('201: the secret is shown once, and counts after its first code', async () => {
    const ana = await newVisitor(t, 'ana@example.com');
    const offered = await ana.post('/api/auth/totp');
    expect(offered.statusCode).toBe(201);
    expect(offered.json().uri).toMatch(
      /^otpauth:\/\/totp\/app\.example\.com:ana%40example\.com\?secret=[A-Z2-7]{32}&/,
    );
    expect((await login(ana.email)).json().signedIn).toBe(true);
    const wrong = await ana.post('/api/auth/totp/confirm', { code: '000000' });
    expect(wrong.statusCode).toBe(403);
    const app = await ana.addTotp();
    expect((await ana.get('/api/auth/passkeys')).json()).toEqual({
      passkeys: [],
      hasTotp: true,
      recoveryCodesLeft: 0,
    });
    const { rows } = await t.owner.query('select sealed from totp_factor where user_id = $1', [ana.userId]);
    expect(rows[0].sealed.toString('latin1')).not.toContain(offered.json().secret);
    const asked = await login(ana.email);
    expect(asked.statusCode).toBe(200);
    expect(asked.json()).toMatchObject({ signedIn: false, factorNeeded: ['totp'] });
    expect(cookiesOf(asked)).toEqual([]);
    const { ticket } = asked.json();
    const opened = await t.post('/api/auth/factor', { ticket, code: app.next() });
    expect([opened.statusCode, opened.json().signedIn]).toEqual([200, true]);
    const again = visitorOf(t, ana, cookieOf(opened));
    expect(await factorsOf(again)).toMatchObject({ method: 'password', factors: ['password', 'totp'] });
  });

  test('409: a second app, and a first code that nobody waits for', async () => {
    const bea = await newVisitor(t, 'bea@example.com');
    expect((await bea.post('/api/auth/totp/confirm', { code: '123456' })).statusCode).toBe(409);
    await bea.post('/api/auth/totp');
    t.clock.advance(900_001);
    await bea.post('/api/auth/confirm', { password: PASSWORD });
    expect((await bea.post('/api/auth/totp/confirm', { code: '123456' })).statusCode).toBe(409);
    await bea.addTotp();
    expect((await bea.post('/api/auth/totp')).statusCode).toBe(409);
  });

  test('204 and 404: it is removed once, and the password alone signs in again', async () => {
    const cora = await newVisitor(t, 'cora@example.com');
    await cora.addTotp();
    await cora.post('/api/auth/recovery-codes');
    expect((await cora.delete('/api/auth/totp')).statusCode).toBe(204);
    expect((await cora.delete('/api/auth/totp')).statusCode).toBe(404);
    expect((await cora.get('/api/auth/passkeys')).json()).toMatchObject({
      hasTotp: false,
      recoveryCodesLeft: 0,
    });
    expect((await login(cora.email)).json().signedIn).toBe(true);
  });
});

describe('passkeys', () => {
  test('a passkey alone signs in, is listed, and is removed', async () => {
    const dan = await newVisitor(t, 'dan@example.com');
    const options = (await dan.post('/api/auth/passkeys/options')).json();
    expect(options).toMatchObject({
      rp: { id: 'app.example.com' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const device = await dan.addPasskey();
    expect(await factorsOf(dan)).toMatchObject({ factors: expect.arrayContaining(['password', 'passkey']) });
    const opened = await t.post('/api/auth/passkey', { passkey: device.assert(await challenge()) });
    expect([opened.statusCode, opened.json().account]).toEqual([
      200,
      { id: dan.userId, userId: dan.userId, email: dan.email },
    ]);
    const there = visitorOf(t, dan, cookieOf(opened));
    expect(await factorsOf(there)).toMatchObject({ method: 'passkey', factors: ['passkey'] });
    const [listed] = (await there.get('/api/auth/passkeys')).json().passkeys;
    expect(listed).toMatchObject({ label: 'Passkey', isSynced: false });
    expect(listed.lastUsedAt).not.toBe(null);
    expect((await there.delete(`/api/auth/passkeys/${listed.id}`)).statusCode).toBe(204);
    const late = await t.post('/api/auth/passkey', { passkey: device.assert(await challenge()) });
    expect(late.statusCode).toBe(401);
  });

  test('with a passkey set, the password asks for it', async () => {
    const eve = await newVisitor(t, 'eve@example.com');
    const device = await eve.addPasskey();
    const asked = (await login(eve.email)).json();
    expect(asked.factorNeeded).toEqual(['passkey']);
    const opened = await t.post('/api/auth/factor', {
      ticket: asked.ticket,
      passkey: device.assert(await challenge()),
    });
    expect(opened.statusCode).toBe(200);
  });

  test('404: the passkey of another person cannot be removed; 409: nor registered again', async () => {
    const [fay, gus] = [await newVisitor(t, 'fay@example.com'), await newVisitor(t, 'gus@example.com')];
    const device = await fay.addPasskey();
    const [{ id }] = (await fay.get('/api/auth/passkeys')).json().passkeys;
    expect((await gus.delete(`/api/auth/passkeys/${id}`)).statusCode).toBe(404);
    const options = (await gus.post('/api/auth/passkeys/options')).json();
    const again = await gus.post('/api/auth/passkeys', { passkey: device.create(options.challenge) });
    expect(again.statusCode).toBe(409);
  });

  test('409 at an address without a host name, in words that say what to do', async () => {
    const own = await createTestAccounts({ PUBLIC_WEB_URL: 'http://127.0.0.1:8080' });
    try {
      const answer = await own.post(
        '/api/auth/passkey/options',
        {},
        {
          headers: { origin: 'http://127.0.0.1:8080' },
        },
      );
      expect(answer.statusCode).toBe(409);
      expect(answer.json().message).toMatch(/PUBLIC_WEB_URL.*http:\/\/localhost/);
    } finally {
      await own.close();
    }
  });
});

describe('recovery codes', () => {
  test('201: ten codes, each of which opens one session; new ones end them', async () => {
    const hal = await newVisitor(t, 'hal@example.com');
    expect((await hal.post('/api/auth/recovery-codes')).statusCode).toBe(409);
    await hal.addTotp();
    const { codes } = (await hal.post('/api/auth/recovery-codes')).json();
    expect(new Set(codes).size).toBe(10);
    const stored = await t.owner.query(`select encode(code_hash, 'escape') as text from recovery_code`);
    expect(JSON.stringify(stored.rows)).not.toContain(codes[0].slice(0, 4));
    const asked = (await login(hal.email)).json();
    expect(asked.factorNeeded).toEqual(['totp', 'recovery']);
    const opened = await t.post('/api/auth/factor', {
      ticket: asked.ticket,
      recoveryCode: ` ${codes[0].toUpperCase().replaceAll('-', ' ')}`,
    });
    expect(opened.statusCode).toBe(200);
    expect((await hal.get('/api/auth/passkeys')).json().recoveryCodesLeft).toBe(9);
    await hal.post('/api/auth/recovery-codes');
    const later = (await login(hal.email)).json();
    const ended = await t.post('/api/auth/factor', { ticket: later.ticket, recoveryCode: codes[1] });
    expect(ended.statusCode).toBe(401);
  });
});

describe('changes are proven, audited and told', () => {
  test('each change is an audit entry and a letter', async () => {
    const ida = await newVisitor(t, 'ida@example.com');
    await ida.addPasskey();
    await ida.addTotp();
    await ida.post('/api/auth/recovery-codes');
    await ida.delete('/api/auth/totp');
    expect((await actionsOf(ida.userId)).filter((action) => /^(factor|recovery)\./.test(action))).toEqual([
      'factor.add',
      'factor.add',
      'recovery.create',
      'factor.remove',
    ]);
    expect(await letterCount(ida.email)).toBe(4);
  });

  test('a code and a passkey are proofs of the last ten minutes, as the password is', async () => {
    const jon = await newVisitor(t, 'jon@example.com');
    const [device, app] = [await jon.addPasskey(), await jon.addTotp()];
    for (const proof of [
      () => ({ password: PASSWORD }),
      () => ({ code: app.next() }),
      async () => ({ passkey: device.assert(await challenge()) }),
    ]) {
      t.clock.advance(601_000);
      const late = await jon.post('/user/keys', { label: 'late' });
      expect([late.statusCode, late.json().confirmationRequired]).toEqual([403, true]);
      expect((await jon.post('/api/auth/confirm', await proof())).statusCode).toBe(200);
      expect((await jon.post('/user/keys', { label: 'in time' })).statusCode).toBe(201);
    }
    const both = await jon.post('/api/auth/confirm', { password: PASSWORD, code: app.next() });
    expect(both.statusCode).toBe(400);
    expect((await jon.post('/api/auth/confirm', { code: '000000' })).statusCode).toBe(403);
  });

  test('an operator resets the factors of a person who lost everything, who is told at once', async () => {
    const kim = await newVisitor(t, 'kim@example.com');
    await kim.addTotp();
    await kim.addPasskey();
    const deps = { system: t.system, clock: t.clock, letters: t.answers.letters };
    expect(await resetFactors(deps, OPERATOR, kim.userId)).toEqual({
      passkeys: 1,
      hasTotp: true,
      recoveryCodes: 0,
    });
    expect((await kim.get('/api/auth/passkeys')).statusCode).toBe(401);
    expect((await login(kim.email)).json().signedIn).toBe(true);
    expect([(await actionsOf(kim.userId)).includes('factor.reset'), await letterCount(kim.email)]).toEqual([
      true,
      3,
    ]);
    await expect(resetFactors(deps, OPERATOR, kim.userId)).rejects.toThrow('no second factor');
  });
});

describe('an authenticator that lies about itself', () => {
  test('400: a passkey for another origin, host, person or challenge is not registered', async () => {
    const lea = await newVisitor(t, 'lea@example.com');
    const mia = await newVisitor(t, 'mia@example.com');
    const device = createAuthenticator(WEB_URL, () => lea.userId);
    const register = async (bent: Parameters<typeof device.create>[1], from = lea) => {
      const options = (await from.post('/api/auth/passkeys/options')).json();
      return (await lea.post('/api/auth/passkeys', { passkey: device.create(options.challenge, bent) }))
        .statusCode;
    };
    expect(await register({ origin: 'https://app.example.com.evil.test' })).toBe(400);
    expect(await register({ rpId: 'example.com' })).toBe(400);
    expect(await register({ isVerified: false })).toBe(400);
    expect(await register({ crossOrigin: true })).toBe(400);
    expect(await register({ type: 'webauthn.get' })).toBe(400);
    expect(await register({}, mia)).toBe(400);
    const assertion = await challenge();
    const mixed = await lea.post('/api/auth/passkeys', { passkey: device.create(assertion) });
    expect(mixed.statusCode).toBe(400);
    expect(await register({})).toBe(201);
  });
});
