import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAN_LIMITS } from '#domain/plans/plans.ts';
import { FROM_DASHBOARD } from '#test/access.ts';
import { cookieOf, createTestAccounts, type TestAccounts } from '#test/accounts.ts';

/** Instant keys and their claim (contract 5, decisions 3.2, trap 68). */
let t: TestAccounts;
beforeAll(async () => {
  t = await createTestAccounts({ TRUSTED_PROXIES: '10.0.0.0/8', DEFAULT_PLAN: 'BASIC' });
});
afterAll(() => t?.close());

const PASSWORD = 'a sentence of ten words';
const instant = (email: string, from: string, headers: Record<string, string> = {}) =>
  t.post('/api/keys/instant', { email }, { headers, from });
const whoIs = async (authHeader: string) => {
  await t.refresh();
  const headers = { 'x-api-key': authHeader.replace('X-API-KEY: ', '') };
  return t.app.inject({ url: '/probe', headers });
};

describe('POST /keys/instant', () => {
  test('201: a pair that works at once with 50 checks a month, also from a form', async () => {
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/keys/instant',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=Form%40example.com',
      remoteAddress: '198.51.100.20',
    });
    expect(answer.statusCode).toBe(201);
    const made = answer.json();
    expect(made).toMatchObject({
      quota: { requestsPerMonth: 50, burst: 60 },
      account: { email: 'form@example.com', isClaimed: false },
    });
    expect(made.authHeader).toBe(
      `X-API-KEY: ${Buffer.from(`${made.apiKey}:${made.apiSecret}`).toString('base64')}`,
    );
    expect(made.example).toContain(made.authHeader);
    const probe = await whoIs(made.authHeader);
    expect(probe.json()).toMatchObject({ accountId: made.account.id, plan: 'FREE', checksPerMonth: 50 });
    const letter = await t.newestTo('form@example.com');
    expect([letter.kind, letter.link]).toEqual([
      'claim-keys',
      expect.stringMatching(/^https:\/\/app\.example\.com\/app\/claim#token=[\w-]{43}$/),
    ]);
  });

  test('409 without a key: an address that has an account is pointed to the sign-in', async () => {
    await t.newPerson('member@example.com', PASSWORD);
    const answer = await instant('member@example.com', '198.51.100.21');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      error: 'Conflict',
      loginUrl: 'https://app.example.com/app/sign-in',
    });
    expect(answer.body).not.toMatch(/ak_|sk_/);
  });

  test('two requests for one address at once make one key', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => instant('raced@example.com', `198.51.100.${30 + i}`)),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409, 409,
    ]);
    expect((await t.lettersTo('raced@example.com')).length).toBe(1);
  });

  test('429: the fourth key of an address in a UTC day; a forged X-Forwarded-For changes nothing', async () => {
    const from = '198.51.100.40';
    for (let i = 0; i < 3; i += 1) expect((await instant(`day${i}@example.com`, from)).statusCode).toBe(201);
    const refused = await instant('day3@example.com', from, { 'x-forwarded-for': '203.0.113.1' });
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ error: 'Rate Limited', plan: 'ANONYMOUS' });
    expect(refused.json().message).toMatch(/3 instant keys a day .* Try again tomorrow at 00:00 UTC\.$/);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    const behindProxy = await instant('day3@example.com', '10.0.0.1', { 'x-forwarded-for': '203.0.113.1' });
    expect(behindProxy.statusCode).toBe(201);
    t.clock.advance(86_400_000);
    expect((await instant('day4@example.com', from)).statusCode).toBe(201);
  });

  test('400: no address, and a throwaway one', async () => {
    const statuses = [
      await instant('nobody', '198.51.100.50'),
      await instant('x@mailinator.com', '198.51.100.50'),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([400, 400]);
  });

  test('without a mail server the pair works all the same', async () => {
    const silent = await createTestAccounts({ SMTP_URL: '', MAIL_FROM: '' });
    try {
      const answer = await silent.post('/api/keys/instant', { email: 'quiet@example.com' });
      expect(answer.statusCode).toBe(201);
      expect(answer.json().account.claim).toContain('operator');
    } finally {
      await silent.close();
    }
  });
});

describe('claiming an instant key', () => {
  const claim = (token: string, password = PASSWORD) => t.post('/api/auth/claim', { token, password });

  test('GET leads to the page with the token in the fragment, and the log has no query', async () => {
    const token = 'A'.repeat(43);
    const before = t.lines.length;
    const answer = await t.app.inject({ url: `/api/auth/claim?token=${token}` });
    expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([
      303,
      `https://app.example.com/app/claim#token=${token}`,
      '',
    ]);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const logged = t.lines.slice(before).join('');
    expect(logged).toContain('/api/auth/claim');
    expect(logged).not.toContain(token);
  });

  test('sets a password, gives a new secret and the plan of people who register (DEFAULT_PLAN), and ends what the old secret opened', async () => {
    const made = (await instant('owner@example.com', '198.51.100.60')).json();
    await t.refresh();
    const { apiKey, apiSecret } = made;
    const cookie = cookieOf(await t.post('/api/auth/session', { apiKey, apiSecret }));
    const child = (
      await t.post('/user/keys', { label: 'kept by a stranger' }, { headers: { ...FROM_DASHBOARD, cookie } })
    ).json();
    const { token } = await t.newestTo('owner@example.com');
    const answer = await claim(token);
    expect(answer.statusCode).toBe(200);
    const claimed = answer.json();
    expect(claimed).toMatchObject({
      apiKey: made.apiKey,
      quota: { requestsPerMonth: PLAN_LIMITS.BASIC.checksPerMonth },
    });
    expect((await whoIs(claimed.authHeader)).json()).toMatchObject({
      plan: 'BASIC',
      checksPerMonth: PLAN_LIMITS.BASIC.checksPerMonth,
    });
    expect((await whoIs(made.authHeader)).statusCode).toBe(401);
    expect((await whoIs(child.authHeader)).statusCode).toBe(401);
    expect((await t.get('/api/auth/session', cookie)).json().signedIn).toBe(false);
    expect((await t.get('/user', cookieOf(answer))).json()).toMatchObject({
      email: 'owner@example.com',
      emailVerified: true,
      isClaimed: true,
    });
    const login = await t.post('/api/auth/login', { email: 'owner@example.com', password: PASSWORD });
    expect(login.statusCode).toBe(200);
    expect((await claim(token)).statusCode).toBe(400);
  });

  test('a link works for three days; afterwards a new one can be asked for', async () => {
    await instant('slow@example.com', '198.51.100.61');
    const { token } = await t.newestTo('slow@example.com');
    t.clock.advance(3 * 86_400_000);
    expect((await claim(token)).statusCode).toBe(400);
    await t.post('/api/auth/forgot', { email: 'slow@example.com' });
    await t.settle();
    expect((await claim((await t.newestTo('slow@example.com')).token)).statusCode).toBe(200);
  });

  test('an owner who registers instead takes the address, and the key of the stranger ends', async () => {
    const made = (await instant('register@example.com', '198.51.100.62')).json();
    const { userId, cookie } = await t.newPerson('register@example.com', PASSWORD);
    expect(userId).toBe(made.account.id);
    expect((await whoIs(made.authHeader)).statusCode).toBe(401);
    const session = (await t.get('/api/auth/session', cookie)).json();
    expect(session).toMatchObject({ plan: 'BASIC', usage: { limit: PLAN_LIMITS.BASIC.checksPerMonth } });
    const person = await t.newPerson('ordinary@example.com', PASSWORD);
    expect((await t.get('/api/auth/session', person.cookie)).json()).toMatchObject({ plan: 'BASIC' });
  });
});
