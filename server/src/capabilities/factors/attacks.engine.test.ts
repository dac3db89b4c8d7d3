import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setDemandsFactor } from '#capabilities/access/index.ts';
import { sql } from '#platform/postgres.ts';
import { FROM_DASHBOARD, OPERATOR } from '#test/access.ts';
import { cookiesOf, createTestAccounts, type TestAccounts } from '#test/accounts.ts';
import { newVisitor, PASSWORD, visitorOf } from '#test/factors.ts';

/** Attacks on second factors, each with its own test. */
let t: TestAccounts;
beforeAll(async () => {
  t = await createTestAccounts();
});
afterAll(() => t?.close());

const login = (email: string, password = PASSWORD) => t.post('/api/auth/login', { email, password });
const ticketOf = async (email: string): Promise<string> => (await login(email)).json().ticket;
const challenge = async () => (await t.post('/api/auth/passkey/options', {})).json().challenge;
const showPasskey = async (passkey: object) => (await t.post('/api/auth/passkey', { passkey })).statusCode;
const show = async (ticket: string, shown: object) =>
  (await t.post('/api/auth/factor', { ticket, ...shown })).statusCode;

describe('passkeys', () => {
  test('a phishing page: the response was made for another origin', async () => {
    const device = await (await newVisitor(t, 'a1@example.com')).addPasskey();
    expect(
      await showPasskey(device.assert(await challenge(), { origin: 'https://app.example.com.evil.test' })),
    ).toBe(401);
    expect(await showPasskey(device.assert(await challenge(), { crossOrigin: true }))).toBe(401);
    expect(await showPasskey(device.assert(await challenge()))).toBe(200);
  });

  test('the response was made for another host', async () => {
    const device = await (await newVisitor(t, 'a2@example.com')).addPasskey();
    expect(await showPasskey(device.assert(await challenge(), { rpId: 'example.com' }))).toBe(401);
  });

  test('the person was not verified by the device', async () => {
    const device = await (await newVisitor(t, 'a3@example.com')).addPasskey();
    expect(await showPasskey(device.assert(await challenge(), { isVerified: false }))).toBe(401);
  });

  test('a response that was seen is sent again, also at the same moment', async () => {
    const device = await (await newVisitor(t, 'a4@example.com')).addPasskey();
    const seen = device.assert(await challenge());
    const both = await Promise.all([showPasskey(seen), showPasskey(seen)]);
    expect(both.toSorted((a, b) => a - b)).toEqual([200, 401]);
    const used = await challenge();
    expect(await showPasskey(device.assert(used, { origin: 'https://evil.test' }))).toBe(401);
    // A failed try uses up its challenge.
    expect(await showPasskey(device.assert(used))).toBe(401);
  });

  test('a challenge after its five minutes', async () => {
    const device = await (await newVisitor(t, 'a5@example.com')).addPasskey();
    const old = await challenge();
    t.clock.advance(300_000);
    expect(await showPasskey(device.assert(old))).toBe(401);
  });

  test('a copied authenticator: its counter did not rise, and the owner can read it in the audit trail', async () => {
    const person = await newVisitor(t, 'a6@example.com');
    const device = await person.addPasskey();
    const copy = device.copy();
    expect(await showPasskey(device.assert(await challenge()))).toBe(200);
    expect(await showPasskey(device.assert(await challenge()))).toBe(200);
    expect(await showPasskey(copy.assert(await challenge()))).toBe(401);
    const { rows } = await t.owner.query(
      `select detail ->> 'reason' as reason from audit_entry where account_id = $1 and action = 'factor.refuse'`,
      [person.userId],
    );
    expect(rows).toEqual([{ reason: 'its counter did not rise' }]);
    // A forged low counter has no valid signature, so it is no evidence that the passkey was copied.
    const forged = device.assert(await challenge(), { counter: 1 });
    const unsigned = { ...forged, response: { ...forged.response, signature: 'MEUCIQ' } };
    expect(await showPasskey(unsigned)).toBe(401);
    expect((await t.owner.query(`select 1 from audit_entry where action = 'factor.refuse'`)).rowCount).toBe(
      1,
    );
  });

  test('the passkey of another person after the password of this one', async () => {
    const [one, other] = [await newVisitor(t, 'a7@example.com'), await newVisitor(t, 'a8@example.com')];
    await one.addPasskey();
    const foreign = await other.addPasskey();
    const ticket = await ticketOf(one.email);
    expect(await show(ticket, { passkey: foreign.assert(await challenge()) })).toBe(401);
  });
});

describe('codes and tickets', () => {
  test('a code that was seen is sent again, also at the same moment', async () => {
    const person = await newVisitor(t, 'b1@example.com');
    const app = await person.addTotp();
    const code = app.next();
    const [one, other] = [await ticketOf(person.email), await ticketOf(person.email)];
    const both = await Promise.all([show(one, { code }), show(other, { code })]);
    expect(both.toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await show(await ticketOf(person.email), { code })).toBe(401);
    expect(await show(await ticketOf(person.email), { code: app.code(-1) })).toBe(401);
    expect((await person.post('/api/auth/confirm', { code })).statusCode).toBe(403);
  });

  test('guessing codes: 429 for the account after its limit, from whatever address; a recovery code still works', async () => {
    const own = await createTestAccounts({ FACTOR_CODES_PER_HOUR: '4' });
    try {
      const person = await newVisitor(own, 'b2@example.com');
      const app = await person.addTotp();
      const { codes } = (await person.post('/api/auth/recovery-codes')).json();
      const guess = async (shown: object, from: string) => {
        const { ticket } = (
          await own.post('/api/auth/login', { email: person.email, password: PASSWORD })
        ).json();
        return (await own.post('/api/auth/factor', { ticket, ...shown }, { from })).statusCode;
      };
      const seen = [];
      for (let i = 0; i < 5; i += 1) seen.push(await guess({ code: '000000' }, `203.0.113.${i}`));
      // Only three of the four hourly tries are left: the code that confirmed the app spent one.
      expect(seen).toEqual([401, 401, 401, 429, 429]);
      expect(await guess({ code: app.next() }, '203.0.113.9')).toBe(429);
      expect(await guess({ recoveryCode: codes[0] }, '203.0.113.9')).toBe(200);
    } finally {
      await own.close();
    }
  });

  test('patient guessing: after 100 wrong codes in a row none is accepted, and the owner is told', async () => {
    const person = await newVisitor(t, 'b3@example.com');
    const app = await person.addTotp();
    await t.owner.query('update totp_factor set failures = 99 where user_id = $1', [person.userId]);
    expect(await show(await ticketOf(person.email), { code: '000000' })).toBe(401);
    expect(await show(await ticketOf(person.email), { code: app.next() })).toBe(403);
    const { rows } = await t.owner.query(
      `select 1 from audit_entry where account_id = $1 and action = 'factor.lock'`,
      [person.userId],
    );
    expect(rows).toHaveLength(1);
  });

  test('a recovery code twice, also at the same moment', async () => {
    const person = await newVisitor(t, 'b4@example.com');
    await person.addTotp();
    const { codes } = (await person.post('/api/auth/recovery-codes')).json();
    const recoveryCode = codes[3];
    const [one, other] = [await ticketOf(person.email), await ticketOf(person.email)];
    const both = await Promise.all([show(one, { recoveryCode }), show(other, { recoveryCode })]);
    expect(both.toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect(await show(await ticketOf(person.email), { recoveryCode })).toBe(401);
  });

  test('a recovery code of another person', async () => {
    const [one, other] = [await newVisitor(t, 'b5@example.com'), await newVisitor(t, 'b6@example.com')];
    await one.addTotp();
    await other.addTotp();
    const { codes } = (await other.post('/api/auth/recovery-codes')).json();
    await one.post('/api/auth/recovery-codes');
    expect(await show(await ticketOf(one.email), { recoveryCode: codes[0] })).toBe(401);
  });

  test('a ticket twice, after its five minutes, after five tries, and after a new password', async () => {
    const person = await newVisitor(t, 'b7@example.com');
    const app = await person.addTotp();
    const used = await ticketOf(person.email);
    expect(await show(used, { code: app.next() })).toBe(200);
    expect(await show(used, { code: app.next() })).toBe(401);
    const old = await ticketOf(person.email);
    t.clock.advance(300_000);
    expect(await show(old, { code: app.next() })).toBe(401);
    const tried = await ticketOf(person.email);
    for (let i = 0; i < 5; i += 1) expect(await show(tried, { code: '000000' })).toBe(401);
    expect(await show(tried, { code: app.next() })).toBe(401);
    const before = await ticketOf(person.email);
    await t.post('/api/auth/forgot', { email: person.email });
    await t.settle();
    const { token } = await t.newestTo(person.email);
    await t.post('/api/auth/reset', { token, password: 'another sentence of mine' });
    expect(await show(before, { code: app.next() })).toBe(401);
    // A password reset does not bypass the factor.
    expect((await login(person.email, 'another sentence of mine')).json().signedIn).toBe(false);
  });

  test('the factor is skipped: a ticket opens nothing else, and no answer before the factor sets a cookie', async () => {
    const person = await newVisitor(t, 'b8@example.com');
    await person.addTotp();
    const asked = await login(person.email);
    expect(cookiesOf(asked)).toEqual([]);
    const { ticket } = asked.json();
    const asCookie = { ...FROM_DASHBOARD, cookie: `__Secure-sid=${ticket}` };
    for (const url of ['/api/user', '/user/keys', '/api/auth/passkeys', '/api/auth/sessions'])
      expect((await t.app.inject({ url, headers: asCookie })).statusCode).toBe(401);
    for (const path of ['/api/auth/verify', '/api/auth/reset', '/api/auth/claim']) {
      const answer = await t.post(path, { token: ticket, password: PASSWORD });
      expect([answer.statusCode, cookiesOf(answer)]).toEqual([400, []]);
    }
    const empty = await t.post('/api/auth/factor', { ticket });
    expect([empty.statusCode, cookiesOf(empty)]).toEqual([400, []]);
    const two = await t.post('/api/auth/factor', { ticket, code: '000000', recoveryCode: 'x' });
    expect(two.statusCode).toBe(400);
  });

  test('a wrong password gets the same answer with and without a factor', async () => {
    const [plain, strong] = [await newVisitor(t, 'b9@example.com'), await newVisitor(t, 'b10@example.com')];
    await strong.addTotp();
    const answers = await Promise.all(
      [plain, strong, { email: 'nobody@example.com' }].map(({ email }) => login(email, 'not the password')),
    );
    const bodies = answers.map((answer) => {
      const { requestId: _id, ...rest } = answer.json();
      return [answer.statusCode, rest];
    });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  test('another site asks for a challenge or shows a factor: 403', async () => {
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    expect((await t.post('/api/auth/passkey/options', {}, { headers })).statusCode).toBe(403);
    const body = { ticket: 'x'.repeat(43), code: '123456' };
    expect((await t.post('/api/auth/factor', body, { headers })).statusCode).toBe(403);
  });
});

describe('changes without a proof', () => {
  test('a forgotten session can neither add nor remove a factor', async () => {
    const person = await newVisitor(t, 'c1@example.com');
    await person.addPasskey();
    await person.addTotp();
    const [{ id }] = (await person.get('/api/auth/passkeys')).json().passkeys;
    t.clock.advance(601_000);
    const answers = [
      await person.post('/api/auth/passkeys/options'),
      await person.post('/api/auth/totp'),
      await person.post('/api/auth/totp/confirm', { code: '123456' }),
      await person.post('/api/auth/recovery-codes'),
      await person.delete('/api/auth/totp'),
      await person.delete(`/api/auth/passkeys/${id}`),
    ];
    for (const answer of answers)
      expect([answer.statusCode, answer.json().confirmationRequired]).toEqual([403, true]);
    expect((await person.get('/api/auth/passkeys')).json()).toMatchObject({ hasTotp: true });
  });

  test('a session from before the factor cannot remove it with the password alone', async () => {
    const person = await newVisitor(t, 'c2@example.com');
    const elsewhere = visitorOf(t, person, person.cookie());
    const opened = await login(person.email);
    const other = visitorOf(t, person, cookiesOf(opened)[0]?.split(';')[0] ?? '');
    const app = await elsewhere.addTotp();
    expect((await other.post('/api/auth/confirm', { password: PASSWORD })).statusCode).toBe(200);
    const refused = await other.delete('/api/auth/totp');
    expect([refused.statusCode, refused.json().factorNeeded]).toEqual([403, ['totp']]);
    expect((await other.post('/api/auth/confirm', { code: app.next() })).statusCode).toBe(200);
    expect((await other.delete('/api/auth/totp')).statusCode).toBe(204);
  });

  test('a session of a key pair cannot give itself a passkey that outlives the key', async () => {
    const userId = await t.newUser('c3@example.com');
    const key = await t.newKey(userId);
    const cookie = await t.newCookie(userId, userId, key.id);
    const holder = visitorOf(t, { userId, email: 'c3@example.com' }, cookie);
    const answer = await holder.post('/api/auth/passkeys/options');
    expect(answer.statusCode).toBe(403);
    expect(answer.json().message).toContain('password or a passkey');
  });
});

test.each(['passkey', 'totp_factor', 'recovery_code', 'factor_token'])(
  'the role of requests cannot read %s, whatever the account',
  async (table) => {
    const read = t.postgres.withAccount('usr_1', (tx) => sql.raw(`select 1 from ${table}`).execute(tx));
    await expect(read).rejects.toThrow('permission denied');
  },
);

describe('an organization that demands a second factor', () => {
  test('a session without one cannot act for it and is told what to do; one that shows it can', async () => {
    const person = await newVisitor(t, 'd1@example.com');
    const { orgId } = await t.newMember('Demanding', person.email, 'OWNER');
    const member = visitorOf(t, person, await t.newCookie(orgId, person.userId));
    expect((await member.get('/probe')).statusCode).toBe(200);
    const deps = { postgres: t.system, clock: t.clock };
    await setDemandsFactor(deps, OPERATOR, orgId, true);
    for (const path of ['/probe', '/user/keys', '/probe/optional']) {
      const refused = await member.get(path);
      expect([refused.statusCode, refused.json().factorRequired]).toEqual([403, true]);
      expect(refused.json().message).toContain('/api/auth/totp');
    }
    // Routes about the person's own account still work, so that a factor can be added and shown.
    expect((await member.get('/api/auth/passkeys')).statusCode).toBe(200);
    const app = await person.addTotp();
    expect((await member.post('/api/auth/confirm', { code: app.next() })).statusCode).toBe(200);
    expect((await member.get('/probe')).statusCode).toBe(200);
    await setDemandsFactor(deps, OPERATOR, orgId, false);
    const plain = visitorOf(t, person, await t.newCookie(orgId, person.userId));
    expect((await plain.get('/probe')).statusCode).toBe(200);
  });
});
