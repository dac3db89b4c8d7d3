import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession, revokeKey, rotateKey } from '#capabilities/access/index.ts';
import { createTestAccess, FROM_DASHBOARD, OPERATOR, type TestAccess, WEB_URL } from '#test/access.ts';

/**
 * Opening a session with a key pair (decisions 1.3 rule 4, reliability 3.C), through the whole HTTP stack.
 */
let t: TestAccess;
let owner: pg.Client;
let user: string;
let key: Awaited<ReturnType<TestAccess['newKey']>>;

const URL = '/api/auth/session';
type Headers = Record<string, string>;
type Pair = { readonly apiKey: string; readonly apiSecret: string };

const signIn = (pair: Pair | object, headers: Headers = FROM_DASHBOARD, remoteAddress = '127.0.0.1') =>
  t.app.inject({ method: 'POST', url: URL, headers, payload: { ...pair }, remoteAddress });
const pairOf = ({ apiKey, apiSecret }: Pair): Pair => ({ apiKey, apiSecret });
const cookiesOf = (answer: { headers: Record<string, unknown> }): string[] =>
  [answer.headers['set-cookie'] ?? []].flat() as string[];
const cookieOf = (answer: { headers: Record<string, unknown> }) => cookiesOf(answer)[0]?.split(';')[0] ?? '';
const who = (cookie: string, headers: Headers = FROM_DASHBOARD) =>
  t.app.inject({ url: URL, headers: { ...headers, cookie } });
const probe = async (cookie: string) =>
  (await t.app.inject({ url: '/probe', headers: { ...FROM_DASHBOARD, cookie } })).statusCode;
const isSignedIn = async (cookie: string) => (await who(cookie)).json<{ signedIn: boolean }>().signedIn;
const auditOf = async (account: string) =>
  (
    await owner.query(
      `select action, actor_kind, actor_id, target, ip, request_id from audit_entry
        where account_id = $1 and action like 'session.%' order by at, id`,
      [account],
    )
  ).rows;

beforeAll(async () => {
  t = await createTestAccess();
  owner = new pg.Client({ connectionString: t.database.url });
  await owner.connect();
  user = await t.newUser('analyst@example.com', { plan: 'PRO' });
  key = await t.newKey(user);
});
afterAll(async () => {
  await owner?.end();
  await t?.close();
});

describe('POST /auth/session', () => {
  test('201: a valid pair opens a session that works where keys do, and the answer holds no secret', async () => {
    const answer = await signIn(pairOf(key));
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      signedIn: true,
      account: { id: user, userId: user, email: 'analyst@example.com' },
      organization: null,
      role: null,
      plan: 'PRO',
      expiresAt: new Date(t.clock.now() + 7 * 86_400_000).toISOString(),
      usage: { used: 7, limit: 10_000, resetsAt: '2027-02-01T00:00:00.000Z' },
      bulkEntitiesMax: 100,
    });
    const token = cookieOf(answer).split('=')[1] ?? 'none';
    for (const secret of [key.apiSecret, token]) expect(answer.body).not.toContain(secret);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(await probe(cookieOf(answer))).toBe(200);
  });

  test('the cookie is Secure, same-site and HttpOnly, and lasts a week', async () => {
    expect(cookiesOf(await signIn(pairOf(key)))).toEqual([
      expect.stringMatching(
        /^__Secure-sid=[\w-]{43}\.1\.[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  test('where API and dashboard are sibling hosts, the cookie is for their common parent', async () => {
    const siblings = await createTestAccess({ PUBLIC_API_URL: 'https://api.example.com' });
    try {
      const account = await siblings.newUser('sibling@example.com');
      const own = await siblings.newKey(account);
      const payload = pairOf(own);
      const answer = await siblings.app.inject({
        method: 'POST',
        url: URL,
        headers: FROM_DASHBOARD,
        payload,
      });
      expect(cookiesOf(answer)[0]).toMatch(/; Secure; Domain=example\.com$/);
    } finally {
      await siblings.close();
    }
  });

  test('white space around a pasted pair is ignored', async () => {
    const answer = await signIn({ apiKey: ` ${key.apiKey}\n`, apiSecret: `\t${key.apiSecret} ` });
    expect(answer.statusCode).toBe(201);
  });

  test('a member of an organization signs in to the organization, with their role', async () => {
    const { orgId, userId } = await t.newMember('Initech', 'lumbergh@example.com', 'ADMIN');
    const own = await t.newKey(orgId, userId);
    expect((await signIn(pairOf(own))).json()).toMatchObject({
      account: { id: orgId, userId, email: 'lumbergh@example.com' },
      organization: { id: orgId, name: 'Initech' },
      role: 'ADMIN',
      plan: 'FREE',
    });
  });

  test('401: an unknown key, a wrong secret and garbage get the same answer, which sets no cookie and no WWW-Authenticate', async () => {
    const other = await t.newKey(user);
    for (const pair of [
      { apiKey: `ak_${'0'.repeat(24)}`, apiSecret: key.apiSecret },
      { apiKey: key.apiKey, apiSecret: other.apiSecret },
      { apiKey: key.apiKey, apiSecret: 'x' },
      { apiKey: 'a:b', apiSecret: 'c' },
      { apiKey: 'a b', apiSecret: '\u0000' },
    ]) {
      const answer = await signIn(pair);
      const { requestId: _id, ...body } = answer.json();
      expect(body).toEqual({ error: 'Unauthorized', message: 'Invalid API key' });
      expect([answer.statusCode, cookiesOf(answer), answer.headers['www-authenticate']]).toEqual([
        401,
        [],
        undefined,
      ]);
    }
  });

  test('429: wrong pairs count against the address like any wrong credential; a valid pair still opens a session', async () => {
    t.clock.advance(60_000);
    const wrong = { apiKey: key.apiKey, apiSecret: 'guess' };
    for (let i = 0; i < t.config.AUTH_FAILURES_PER_MINUTE; i += 1)
      expect((await signIn(wrong, FROM_DASHBOARD, '198.51.100.9')).statusCode).toBe(401);
    expect((await signIn(wrong, FROM_DASHBOARD, '198.51.100.9')).statusCode).toBe(429);
    const ended = `__Secure-sid=${'x'.repeat(43)}`;
    const right = await signIn(pairOf(key), { ...FROM_DASHBOARD, cookie: ended }, '198.51.100.9');
    expect(right.statusCode).toBe(201);
    t.clock.advance(60_000);
  });

  test('403: from an address outside the allow list of the key', async () => {
    const bound = await t.newKey(user, user, ['203.0.113.0/24']);
    expect((await signIn(pairOf(bound), FROM_DASHBOARD, '198.51.100.1')).statusCode).toBe(403);
    expect((await signIn(pairOf(bound), FROM_DASHBOARD, '203.0.113.5')).statusCode).toBe(201);
  });

  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a browser that does not say', { 'sec-fetch-site': 'cross-site' }],
    ['no browser at all', {}],
  ])('403: a valid pair sent from %s opens no session', async (_name, headers) => {
    const answer = await signIn(pairOf(key), headers);
    expect([answer.statusCode, cookiesOf(answer)]).toEqual([403, []]);
    expect(answer.json().message).toContain(WEB_URL);
  });

  test.each([
    ['no secret', { apiKey: 'ak_x' }],
    ['an empty key', { apiKey: ' ', apiSecret: 'x' }],
    ['a key of 201 characters', { apiKey: 'x'.repeat(201), apiSecret: 'x' }],
  ])('400: %s', async (_name, body) => {
    expect((await signIn(body)).statusCode).toBe(400);
  });

  test('415: only JSON is read, which a form of another page cannot send', async () => {
    const answer = await t.app.inject({
      method: 'POST',
      url: URL,
      headers: { ...FROM_DASHBOARD, 'content-type': 'text/plain' },
      payload: JSON.stringify(pairOf(key)),
    });
    expect(answer.statusCode).toBe(415);
  });

  test('503: a node without contact to PostgreSQL for too long opens no session', async () => {
    const known = await t.newKey(user);
    t.setKeysAway(true);
    t.setContactAge(t.config.KEY_STALE_MAX_MS);
    const answer = await signIn(pairOf(known));
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    t.setContactAge(0);
    t.setKeysAway(false);
  });

  test('the route exists on the web surface only', async () => {
    const answer = await t.app.inject({
      method: 'POST',
      url: '/auth/session',
      headers: FROM_DASHBOARD,
      payload: pairOf(key),
    });
    expect(answer.statusCode).toBe(404);
  });

  test('signing in again ends the previous session, also one of another account', async () => {
    const other = await t.newUser('second@example.com');
    const otherKey = await t.newKey(other);
    const first = cookieOf(await signIn(pairOf(key)));
    const second = cookieOf(await signIn(pairOf(otherKey), { ...FROM_DASHBOARD, cookie: first }));
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
  });

  test('a user has fifty sessions at most: the oldest is ended', async () => {
    const busy = await t.newUser('busy@example.com');
    const busyKey = await t.newKey(busy);
    const oldest = cookieOf(await signIn(pairOf(busyKey)));
    const who = { accountId: busy, userId: busy, ip: '', userAgent: '' };
    t.clock.advance(1);
    for (let i = 0; i < 49; i += 1) await createSession({ postgres: t.postgres, clock: t.clock }, who);
    expect(await isSignedIn(oldest)).toBe(true);
    t.clock.advance(1);
    const newest = cookieOf(await signIn(pairOf(busyKey)));
    expect([await isSignedIn(oldest), await isSignedIn(newest)]).toEqual([false, true]);
  });
});

describe('GET /auth/session', () => {
  test('200: without a cookie the answer is signed out, and no cookie is set', async () => {
    const answer = await t.app.inject({ url: URL, headers: FROM_DASHBOARD });
    expect([answer.statusCode, answer.json(), cookiesOf(answer)]).toEqual([200, { signedIn: false }, []]);
    expect(answer.headers['cache-control']).toBe('private, no-store');
  });

  test('200: with a session the answer has the fields of the sign-in', async () => {
    const opened = await signIn(pairOf(key));
    expect((await who(cookieOf(opened))).json()).toEqual(opened.json());
  });

  test.each([
    ['an unknown one', `__Secure-sid=${'A'.repeat(43)}`],
    ['no token at all', '__Secure-sid=x'],
    ['two of them', `__Secure-sid=${'A'.repeat(43)}; __Secure-sid=${'B'.repeat(43)}`],
  ])('a cookie that opens nothing (%s) is 200, and cleared', async (_name, cookie) => {
    const answer = await who(cookie);
    expect([answer.statusCode, answer.json()]).toEqual([200, { signedIn: false }]);
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^__Secure-sid=; Max-Age=0; Path=\/; .*Secure$/),
    ]);
  });

  test('an idle session has ended: 200, and its cookie is cleared', async () => {
    const cookie = cookieOf(await signIn(pairOf(key)));
    t.clock.advance(12 * 3_600_000);
    const answer = await who(cookie);
    expect([answer.statusCode, answer.json(), cookiesOf(answer).length]).toEqual([
      200,
      { signedIn: false },
      1,
    ]);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['no browser', {}],
  ])('from %s a cookie gives no information and is not cleared', async (_name, headers) => {
    const answer = await who(cookieOf(await signIn(pairOf(key))), headers);
    expect([answer.statusCode, answer.json(), cookiesOf(answer)]).toEqual([200, { signedIn: false }, []]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('each of two accounts sees itself only', async () => {
    const other = await t.newUser('neighbour@example.com', { plan: 'BASIC' });
    const otherKey = await t.newKey(other);
    const mine = cookieOf(await signIn(pairOf(key)));
    const theirs = cookieOf(await signIn(pairOf(otherKey)));
    expect((await who(mine)).json()).toMatchObject({ account: { id: user }, plan: 'PRO' });
    expect((await who(theirs)).json()).toMatchObject({ account: { id: other }, plan: 'BASIC' });
  });
});

describe('DELETE /auth/session', () => {
  const signOut = (cookie: string, headers: Headers = FROM_DASHBOARD) =>
    t.app.inject({ method: 'DELETE', url: URL, headers: { ...headers, cookie } });

  test('204: the session is over, here and in every other tab, and its cookie is cleared', async () => {
    const cookie = cookieOf(await signIn(pairOf(key)));
    const answer = await signOut(cookie);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(cookiesOf(answer)[0]).toMatch(/^__Secure-sid=; Max-Age=0/);
    expect(await probe(cookie)).toBe(401);
    expect((await signOut(cookie)).statusCode).toBe(204);
    expect((await signOut('')).statusCode).toBe(204);
  });

  test('403: another site cannot end a session', async () => {
    const cookie = cookieOf(await signIn(pairOf(key)));
    const forged = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await signOut(cookie, forged)).statusCode).toBe(403);
    expect(await isSignedIn(cookie)).toBe(true);
  });

  test('a session cookie from another site changes nothing anywhere: 403', async () => {
    const cookie = cookieOf(await signIn(pairOf(key)));
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/probe',
      headers: { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.statusCode).toBe(403);
  });
});

describe('the lifetime of a session', () => {
  const manage = () => ({ postgres: t.system, clock: t.clock, pepper: t.access.pepper });
  const scope = () => ({ accountId: user, userId: null });

  test('revoking the key that opened it ends it at once, and no other session', async () => {
    const [one, two] = [await t.newKey(user), await t.newKey(user)];
    const [ofOne, ofTwo] = [cookieOf(await signIn(pairOf(one))), cookieOf(await signIn(pairOf(two)))];
    await revokeKey(manage(), OPERATOR, scope(), one.id);
    expect([await probe(ofOne), await probe(ofTwo)]).toEqual([401, 200]);
  });

  test('a new secret without overlap ends it at once; with one it ends with the old secret', async () => {
    const own = await t.newKey(user);
    const first = cookieOf(await signIn(pairOf(own)));
    const rotated = await rotateKey(manage(), OPERATOR, scope(), own.id, 0);
    await t.refresh();
    expect(await probe(first)).toBe(401);
    const second = cookieOf(await signIn(pairOf(rotated)));
    await rotateKey(manage(), OPERATOR, scope(), own.id, 3_600_000);
    t.clock.advance(3_599_999);
    expect(await probe(second)).toBe(200);
    t.clock.advance(1);
    expect(await probe(second)).toBe(401);
  });

  test('a key revoked a moment ago opens no session, although this node still has it cached', async () => {
    const own = await t.newKey(user);
    await revokeKey(manage(), OPERATOR, scope(), own.id);
    expect((await signIn(pairOf(own))).statusCode).toBe(401);
  });

  test('opening and ending are in the audit trail: who, from where, through which request', async () => {
    const account = await t.newUser('audited@example.com');
    const own = await t.newKey(account);
    const opened = await signIn(pairOf(own), FROM_DASHBOARD, '203.0.113.77');
    t.clock.advance(1);
    await t.app.inject({
      method: 'DELETE',
      url: URL,
      headers: { ...FROM_DASHBOARD, cookie: cookieOf(opened) },
    });
    await signIn({ ...pairOf(own), apiSecret: 'wrong' });
    const [created, ended, ...more] = await auditOf(account);
    expect(created).toMatchObject({
      action: 'session.create',
      actor_kind: 'key',
      actor_id: own.id,
      ip: '203.0.113.77',
      request_id: opened.headers['x-request-id'],
    });
    expect(ended).toMatchObject({
      action: 'session.end',
      actor_kind: 'session',
      actor_id: created.target,
      target: created.target,
    });
    expect(more).toEqual([]);
  });

  test('neither the secret nor the token is stored', async () => {
    const opened = await signIn(pairOf(key));
    const { rows } = await owner.query(`select s::text as row from session s`);
    const stored = JSON.stringify(rows);
    expect(stored).toContain(key.id);
    for (const secret of [key.apiSecret, cookieOf(opened).split('=')[1] ?? ''])
      expect(stored).not.toContain(secret);
  });
});
