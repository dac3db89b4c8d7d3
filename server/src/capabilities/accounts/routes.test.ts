import { argon2Sync, hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FROM_DASHBOARD, OPERATOR } from '#test/access.ts';
import { cookieOf, cookiesOf, createTestAccounts, type TestAccounts } from '#test/accounts.ts';
import { invitePerson } from './invite-person.ts';

/** Registering, signing in, new passwords and sessions of people (contract 5, decisions 3.2), over the whole HTTP stack. */
let t: TestAccounts;
beforeAll(async () => {
  t = await createTestAccounts();
});
afterAll(() => t?.close());

const PASSWORD = 'a sentence of ten words';
const register = (email: string, password = PASSWORD) => t.post('/api/auth/register', { email, password });
const login = (email: string, password = PASSWORD) => t.post('/api/auth/login', { email, password });
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await t.get('/api/auth/session', cookie)).json().signedIn;
const actionsOf = async (accountId: string): Promise<readonly string[]> =>
  (
    await t.owner.query('select action from audit_entry where account_id = $1 order by at, id', [accountId])
  ).rows.map(({ action }) => action);

const headersWith = (cookie: string) => ({ ...FROM_DASHBOARD, cookie });

describe('registering', () => {
  test('a letter proves the address, and the account exists only then', async () => {
    const answer = await register('New.Person@Example.com');
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['message']]);
    await t.settle();
    const users = async () =>
      (await t.owner.query(`select 1 from app_user where email = 'new.person@example.com'`)).rowCount;
    expect(await users()).toBe(0);
    expect((await login('new.person@example.com')).statusCode).toBe(401);
    const letter = await t.newestTo('new.person@example.com');
    expect(letter.kind).toBe('verify-address');
    expect(letter.link).toMatch(/^https:\/\/app\.example\.com\/app\/verify#token=[\w-]{43}$/);
    const proven = await t.post('/api/auth/verify', { token: letter.token, password: PASSWORD });
    expect(proven.statusCode).toBe(201);
    expect(proven.json()).toMatchObject({
      signedIn: true,
      account: { email: 'new.person@example.com' },
      plan: 'FREE',
    });
    expect([await users(), await isSignedIn(cookieOf(proven))]).toEqual([1, true]);
    expect((await login(' NEW.person@example.com ')).statusCode).toBe(200);
    const { userId } = proven.json().account;
    expect(await actionsOf(userId)).toEqual(
      expect.arrayContaining(['user.register', 'password.set', 'session.create']),
    );
  });

  test('a person who did not register cannot be led to complete the registration of a stranger', async () => {
    await register('victim@example.com', 'the password of a stranger');
    await t.settle();
    const { token } = await t.newestTo('victim@example.com');
    const led = await t.post('/api/auth/verify', { token, password: 'the password of the victim' });
    expect([led.statusCode, cookiesOf(led)]).toEqual([401, []]);
    // The victim's own registration works meanwhile, and ends the stranger's.
    await register('victim@example.com', 'the password of the victim');
    await t.settle();
    const own = await t.newestTo('victim@example.com');
    const answer = await t.post('/api/auth/verify', {
      token: own.token,
      password: 'the password of the victim',
    });
    expect(answer.statusCode).toBe(201);
    const late = await t.post('/api/auth/verify', { token, password: 'the password of a stranger' });
    expect(late.statusCode).toBe(400);
    expect((await login('victim@example.com', 'the password of a stranger')).statusCode).toBe(401);
  });

  test('an address with an account gets a letter that says so, and keeps its password', async () => {
    await t.newPerson('taken@example.com', PASSWORD);
    await register('taken@example.com', 'another password of mine');
    await t.settle();
    expect((await t.newestTo('taken@example.com')).kind).toBe('address-taken');
    expect((await login('taken@example.com')).statusCode).toBe(200);
  });

  test('a user whom an operator made gets a first password this way, and keeps their keys', async () => {
    const userId = await t.newUser('made@example.com', { plan: 'PRO' });
    const key = await t.newKey(userId);
    const made = await t.newPerson('made@example.com', PASSWORD);
    expect(made.userId).toBe(userId);
    await t.refresh();
    const probe = await t.app.inject({ url: '/probe', headers: { 'x-api-key': key.credential } });
    expect(probe.statusCode).toBe(200);
  });

  test('the letter can be asked for again; then the earlier link stops working', async () => {
    await register('again@example.com');
    await t.settle();
    const first = await t.newestTo('again@example.com');
    const answer = await t.post('/auth/resend-verification', { email: 'again@example.com' });
    expect(answer.statusCode).toBe(200);
    await t.settle();
    const second = await t.newestTo('again@example.com');
    expect(second.token).not.toBe(first.token);
    const verify = async (token: string) =>
      (await t.post('/api/auth/verify', { token, password: PASSWORD })).statusCode;
    expect([await verify(first.token), await verify(second.token)]).toEqual([400, 201]);
  });

  test('a link works for a day', async () => {
    await register('slow@example.com');
    await t.settle();
    const { token } = await t.newestTo('slow@example.com');
    t.clock.advance(24 * 3_600_000);
    expect((await t.post('/api/auth/verify', { token, password: PASSWORD })).statusCode).toBe(400);
  });

  test.each([
    ['a password of nine characters', { email: 'a@example.com', password: '123456789' }],
    ['a password of 129 characters', { email: 'a@example.com', password: 'x'.repeat(129) }],
    ['no address', { email: 'nobody', password: PASSWORD }],
    ['a line break in the address', { email: 'a@example.com\r\nBcc: b@example.com', password: PASSWORD }],
  ])('400: %s', async (_name, body) => {
    const answer = await t.post('/api/auth/register', body);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain(body.password);
  });

  test('400: a password of the list of breached passwords, here and when a new one is set', async () => {
    const own = await createTestAccounts({}, new Set([hash('sha1', 'qwertyuiop12345')]));
    try {
      const answer = await own.post('/api/auth/register', {
        email: 'b@example.com',
        password: 'qwertyuiop12345',
      });
      expect([answer.statusCode, answer.json().details[0].path]).toEqual([400, 'password']);
      await own.newPerson('b@example.com', PASSWORD);
      await own.post('/api/auth/forgot', { email: 'b@example.com' });
      await own.settle();
      const { token } = await own.newestTo('b@example.com');
      const reset = (password: string) => own.post('/api/auth/reset', { token, password });
      expect((await reset('qwertyuiop12345')).statusCode).toBe(400);
      expect((await reset('another sentence of mine')).statusCode).toBe(200);
    } finally {
      await own.close();
    }
  });
});

describe('without a mail server, and where registration is closed', () => {
  test('409 with the reason; an operator prints a link, with which a person sets a password and signs in', async () => {
    const silent = await createTestAccounts({ SMTP_URL: '', MAIL_FROM: '' });
    try {
      for (const [path, body] of [
        ['/api/auth/register', { email: 'c@example.com', password: PASSWORD }],
        ['/api/auth/forgot', { email: 'c@example.com' }],
      ] as const) {
        const answer = await silent.post(path, body);
        expect([answer.statusCode, answer.headers['retry-after']]).toEqual([409, undefined]);
        expect(answer.json().message).toMatch(/operator/);
      }
      const deps = { postgres: silent.system, clock: silent.clock, publicWebUrl: 'https://app.example.com' };
      const { link } = await invitePerson(deps, OPERATOR, 'c@example.com');
      const token = link.split('#token=')[1];
      expect((await silent.post('/api/auth/reset', { token, password: PASSWORD })).statusCode).toBe(200);
      expect((await silent.post('/api/auth/reset', { token, password: PASSWORD })).statusCode).toBe(400);
      const signedIn = await silent.post('/api/auth/login', { email: 'c@example.com', password: PASSWORD });
      expect(signedIn.statusCode).toBe(200);
    } finally {
      await silent.close();
    }
  });

  test('403: REGISTRATION=closed', async () => {
    const closed = await createTestAccounts({ REGISTRATION: 'closed' });
    try {
      const answers = [
        await closed.post('/api/auth/register', { email: 'd@example.com', password: PASSWORD }),
        await closed.post('/api/keys/instant', { email: 'd@example.com' }),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403]);
    } finally {
      await closed.close();
    }
  });
});

describe('signing in and out', () => {
  test('a failed sign-in is in the audit trail of the account: from where, and no secret', async () => {
    const { userId } = await t.newPerson('watched@example.com', PASSWORD);
    const wrong = 'not the right password';
    const answer = await t.post(
      '/api/auth/login',
      { email: 'watched@example.com', password: wrong },
      { from: '203.0.113.9' },
    );
    expect(answer.statusCode).toBe(401);
    await t.settle();
    const { rows } = await t.owner.query(
      `select actor_kind, actor_id, ip, request_id, detail from audit_entry
        where account_id = $1 and action = 'session.refuse'`,
      [userId],
    );
    expect(rows).toEqual([
      {
        actor_kind: 'anonymous',
        actor_id: '203.0.113.9',
        ip: '203.0.113.9',
        request_id: answer.headers['x-request-id'],
        detail: { method: 'password', reason: 'wrong password' },
      },
    ]);
  });

  test('signing out ends the session and clears the cookie', async () => {
    const { cookie } = await t.newPerson('leaver@example.com', PASSWORD);
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: headersWith(cookie),
    });
    expect([answer.statusCode, await isSignedIn(cookie)]).toEqual([204, false]);
    expect(cookiesOf(answer)[0]).toMatch(/^__Secure-sid=; Max-Age=0/);
  });

  test('a hash of older parameters is replaced at the next sign-in', async () => {
    const { userId } = await t.newPerson('old@example.com', PASSWORD);
    const nonce = Buffer.alloc(16, 1);
    const tag = argon2Sync('argon2id', {
      message: PASSWORD,
      nonce,
      tagLength: 32,
      memory: 1_024,
      passes: 1,
      parallelism: 1,
    });
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const old = `$argon2id$v=19$m=1024,t=1,p=1$${text(nonce)}$${text(tag)}`;
    await t.owner.query('update user_password set phc = $2 where user_id = $1', [userId, old]);
    expect((await login('old@example.com')).statusCode).toBe(200);
    const { rows } = await t.owner.query('select phc from user_password where user_id = $1', [userId]);
    expect(rows[0].phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await login('old@example.com')).statusCode).toBe(200);
  });

  test('429 before the hash: too many tries from one address, and for one account from many addresses', async () => {
    const strict = await createTestAccounts({ SIGN_IN_PER_MINUTE: '3', SIGN_IN_ACCOUNT_PER_HOUR: '5' });
    try {
      const attempt = async (email: string, from: string) =>
        (await strict.post('/api/auth/login', { email, password: 'wrong password' }, { from })).statusCode;
      for (let i = 0; i < 3; i += 1) expect(await attempt(`p${i}@example.com`, '198.51.100.1')).toBe(401);
      expect(await attempt('p9@example.com', '198.51.100.1')).toBe(429);
      for (let i = 0; i < 5; i += 1)
        expect(await attempt('one@example.com', `198.51.100.${10 + i}`)).toBe(401);
      expect(await attempt('one@example.com', '198.51.100.99')).toBe(429);
    } finally {
      await strict.close();
    }
  });
});

describe('a new password', () => {
  test('ends every session and every other link, and a letter tells of it', async () => {
    const email = 'forgetful@example.com';
    const { userId, cookie } = await t.newPerson(email, PASSWORD);
    const key = await t.newKey(userId);
    const ofKey = cookieOf(
      await t.post('/api/auth/session', { apiKey: key.apiKey, apiSecret: key.apiSecret }),
    );
    for (let i = 0; i < 2; i += 1) await t.post('/api/auth/forgot', { email });
    await t.settle();
    const [one, two] = (await t.lettersTo(email)).filter(({ kind }) => kind === 'reset-password');
    expect(one?.link).toMatch(/^https:\/\/app\.example\.com\/app\/reset#token=[\w-]{43}$/);
    const reset = (token: string | undefined, password: string) =>
      t.post('/api/auth/reset', { token, password });
    expect((await reset(one?.token, 'my new password 1')).statusCode).toBe(200);
    expect((await reset(two?.token, 'my new password 2')).statusCode).toBe(400);
    expect([await isSignedIn(cookie), await isSignedIn(ofKey)]).toEqual([false, false]);
    expect((await t.newestTo(email)).kind).toBe('password-changed');
    expect((await login(email)).statusCode).toBe(401);
    expect((await login(email, 'my new password 1')).statusCode).toBe(200);
  });

  test('a link works for an hour', async () => {
    const email = 'late@example.com';
    await t.newPerson(email, PASSWORD);
    await t.post('/api/auth/forgot', { email });
    await t.settle();
    const { token } = await t.newestTo(email);
    t.clock.advance(3_600_000);
    const answer = await t.post('/api/auth/reset', { token, password: 'my new password 1' });
    expect(answer.statusCode).toBe(400);
  });

  test('an address without an account gets no letter', async () => {
    await t.post('/api/auth/forgot', { email: 'stranger@example.com' });
    await t.settle();
    expect(await t.lettersTo('stranger@example.com')).toEqual([]);
  });
});
