import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FROM_DASHBOARD } from '#test/access.ts';
import { cookieOf, cookiesOf, createTestAccounts, type TestAccounts } from '#test/accounts.ts';

/** The sessions of a person in all of their accounts, and the proof that dangerous changes ask for (O47, O48). */
let t: TestAccounts;
beforeAll(async () => {
  t = await createTestAccounts();
});
afterAll(() => t?.close());

const PASSWORD = 'a sentence of ten words';
const headersWith = (cookie: string) => ({ ...FROM_DASHBOARD, cookie });
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await t.get('/api/auth/session', cookie)).json().signedIn;

describe('sessions of a person', () => {
  const end = (cookie: string, id: string) =>
    t.app.inject({
      method: 'DELETE',
      url: `/api/auth/sessions/${id}`,
      headers: headersWith(cookie),
    });
  const list = async (cookie: string) =>
    (await t.get('/api/auth/sessions', cookie)).json<{
      sessions: { id: string; isCurrent: boolean; method: string; accountId: string }[];
    }>().sessions;

  test('are listed in all accounts with how they were opened, and ended one by one', async () => {
    const { userId, cookie } = await t.newPerson('many@example.com', PASSWORD);
    const { orgId } = await t.newMember('Many Inc.', 'many@example.com', 'OWNER');
    const inOrg = await t.newCookie(orgId, userId);
    const key = await t.newKey(userId);
    await t.post('/api/auth/session', { apiKey: key.apiKey, apiSecret: key.apiSecret });
    const sessions = await list(cookie);
    expect(sessions.map(({ method, accountId, isCurrent }) => [method, accountId, isCurrent])).toEqual(
      expect.arrayContaining([
        ['password', userId, true],
        ['key', userId, false],
        ['key', orgId, false],
      ]),
    );
    const other = sessions.find(({ accountId }) => accountId === orgId);
    expect((await end(cookie, other?.id ?? '')).statusCode).toBe(204);
    expect(await isSignedIn(inOrg)).toBe(false);
    expect((await list(cookie)).length).toBe(2);
    const user = (await t.get('/user', cookie)).json();
    expect(user).toMatchObject({
      id: userId,
      email: 'many@example.com',
      emailVerified: true,
      hasPassword: true,
      isClaimed: true,
      organizations: [{ id: orgId, name: 'Many Inc.', role: 'OWNER' }],
    });
  });

  test('go on in another account of the person under a new cookie, and end when the old one would have', async () => {
    const { userId, cookie } = await t.newPerson('switch@example.com', PASSWORD);
    const { orgId } = await t.newMember('Switch Inc.', 'switch@example.com', 'ADMIN');
    const { orgId: strangers } = await t.newMember('Strangers Inc.', 'other.switch@example.com', 'OWNER');
    const switchTo = (accountId: string, from: string) =>
      t.post('/api/auth/switch', { accountId }, { headers: headersWith(from) });
    const before = (await t.get('/api/auth/session', cookie)).json();
    t.clock.advance(3_600_000);
    for (const foreign of [strangers, 'org_0', 'usr_0'])
      expect((await switchTo(foreign, cookie)).statusCode).toBe(404);
    const answer = await switchTo(orgId, cookie);
    expect(answer.json()).toMatchObject({
      account: { id: orgId, userId },
      organization: { name: 'Switch Inc.' },
      role: 'ADMIN',
      expiresAt: before.expiresAt,
    });
    const inOrg = cookieOf(answer);
    expect([await isSignedIn(cookie), await isSignedIn(inOrg)]).toEqual([false, true]);
    // Switching accounts does not renew the proof, which is an hour old and no longer recent.
    const key = await t.post('/user/keys', { label: 'x' }, { headers: headersWith(inOrg) });
    expect([key.statusCode, key.json().confirmationRequired]).toEqual([403, true]);
    expect((await switchTo(userId, inOrg)).json()).toMatchObject({ account: { id: userId } });
    const ofKey = await t.newCookie(userId);
    expect((await switchTo(orgId, ofKey)).statusCode).toBe(403);
  });

  test('404: a session of another person cannot be ended', async () => {
    const mine = await t.newPerson('mine@example.com', PASSWORD);
    const theirs = await t.newPerson('theirs@example.com', PASSWORD);
    const [session] = await list(theirs.cookie);
    expect((await end(mine.cookie, session?.id ?? '')).statusCode).toBe(404);
    expect(await isSignedIn(theirs.cookie)).toBe(true);
  });
});

describe('a recent proof', () => {
  const makeKey = (cookie: string) => t.post('/user/keys', { label: 'x' }, { headers: headersWith(cookie) });

  test('is asked for ten minutes after the last one, and the session goes on under a new cookie', async () => {
    const { cookie } = await t.newPerson('prover@example.com', PASSWORD);
    expect((await makeKey(cookie)).statusCode).toBe(201);
    t.clock.advance(600_001);
    const refused = await makeKey(cookie);
    expect([refused.statusCode, refused.json().confirmationRequired]).toEqual([403, true]);
    const wrong = await t.post(
      '/api/auth/confirm',
      { password: 'wrong password' },
      { headers: headersWith(cookie) },
    );
    expect([wrong.statusCode, cookiesOf(wrong)]).toEqual([403, []]);
    const right = await t.post('/api/auth/confirm', { password: PASSWORD }, { headers: headersWith(cookie) });
    expect(right.statusCode).toBe(200);
    const renewed = cookieOf(right);
    expect(renewed).not.toBe(cookie);
    expect([await isSignedIn(cookie), (await makeKey(renewed)).statusCode]).toEqual([false, 201]);
  });

  test('is not asked of a session of a key pair, because what it makes ends with the key', async () => {
    const userId = await t.newUser('program@example.com');
    const key = await t.newKey(userId);
    const cookie = await t.newCookie(userId, userId, key.id);
    t.clock.advance(600_001);
    expect((await makeKey(cookie)).statusCode).toBe(201);
  });
});
