import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLicence, revokeKey, rotateKey, setPlan } from '#capabilities/access/index.ts';
import { createTestAccess, FROM_DASHBOARD, OPERATOR, type TestAccess, WEB_URL } from '#test/access.ts';

/** Contract 5 and decisions 1.3, tested through the whole HTTP stack. */
let t: TestAccess;
let user: string;
let key: Awaited<ReturnType<TestAccess['newKey']>>;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const basic = (name: string, password: string) => ({
  authorization: `Basic ${base64(`${name}:${password}`)}`,
});
const keyHeader = (value: string) => ({ 'x-api-key': value });
const get = (url: string, headers: Record<string, string> = {}) =>
  t.app.inject({ method: 'GET', url, headers });
const post = (url: string, headers: Record<string, string> = {}) =>
  t.app.inject({ method: 'POST', url, headers });
const messageOf = (answer: { json: () => { message?: string } }) => answer.json().message;

beforeAll(async () => {
  t = await createTestAccess();
  user = await t.newUser('soc@example.com', { plan: 'PRO' });
  key = await t.newKey(user);
});
afterAll(() => t?.close());

describe('the three ways to authenticate', () => {
  test('trap 59: Basic(key, secret), Basic(anything, base64) and X-API-KEY reach the same account', async () => {
    const ways = [
      keyHeader(key.credential),
      basic(key.apiKey, key.apiSecret),
      basic('anything', key.credential),
      basic('', key.credential),
      basic('Jane Doe', key.credential),
      basic(key.apiKey, key.credential),
    ];
    for (const headers of ways) {
      const answer = await get('/probe', headers);
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        { kind: 'key', id: key.id, accountId: user, plan: 'PRO', checksPerMonth: 10_000 },
      ]);
    }
  });

  test('trap 59: Bearer is refused and says that keys are not Bearer tokens', async () => {
    const answer = await get('/probe', { authorization: `Bearer ${key.credential}` });
    expect(answer.statusCode).toBe(401);
    expect(messageOf(answer)).toContain('not Bearer tokens');
  });

  test('trap 59: a wrong X-API-KEY beside a valid cookie or valid Basic is refused', async () => {
    const cookie = await t.newCookie(user);
    const wrong = keyHeader(base64(`${key.apiKey}:sk_wrong`));
    for (const valid of [{ cookie, ...FROM_DASHBOARD }, basic(key.apiKey, key.apiSecret)]) {
      expect((await get('/probe', valid)).statusCode).toBe(200);
      const answer = await get('/probe', { ...valid, ...wrong });
      expect([answer.statusCode, messageOf(answer)]).toEqual([401, 'Invalid API key']);
    }
  });

  test('trap 60: a pair is split at its single colon; a pair with two colons is refused', async () => {
    const wrong = [
      `${key.apiKey}:${key.apiSecret}:`,
      `${key.apiKey}::${key.apiSecret}`,
      `:${key.apiKey}:${key.apiSecret}`,
      `${key.apiKey}:sk_ä+/=%3A"'`,
      `${key.apiKey}${key.apiSecret}`,
    ];
    for (const pair of wrong) {
      const answers = [
        await get('/probe', keyHeader(base64(pair))),
        await get('/probe', { authorization: `Basic ${base64(pair)}` }),
        await get('/probe', basic('x', base64(pair))),
      ];
      for (const answer of answers)
        expect([answer.statusCode, messageOf(answer)]).toEqual([401, 'Invalid API key']);
    }
  });

  test('a pair that is not encoded, or encoded twice, gets 401 with the mistake, the same for a key that does not exist', async () => {
    const unknown = `ak_${'0'.repeat(24)}`;
    for (const apiKey of [key.apiKey, unknown]) {
      const pair = `${apiKey}:${key.apiSecret}`;
      for (const [value, words] of [
        [pair, 'Invalid API key: the X-API-KEY header is not base64(apiKey:apiSecret). Create it with: '],
        [apiKey, 'Invalid API key: the X-API-KEY header is not base64(apiKey:apiSecret). Create it with: '],
        [base64(base64(pair)), 'Invalid API key: the X-API-KEY header is encoded twice. '],
      ] as const) {
        const answer = await get('/probe', keyHeader(value));
        expect(answer.statusCode).toBe(401);
        expect(String(messageOf(answer)).slice(0, words.length)).toBe(words);
        expect(answer.body).not.toContain(apiKey);
      }
    }
  });

  test('an empty X-API-KEY is refused as empty, even beside valid Basic credentials', async () => {
    for (const headers of [keyHeader(''), { ...basic(key.apiKey, key.apiSecret), 'x-api-key': '' }]) {
      const answer = await get('/probe', headers);
      expect([answer.statusCode, messageOf(answer)]).toEqual([401, 'X-API-KEY header is empty']);
    }
  });

  test('no credential: 401 names the three ways and spells out the X-API-KEY header', async () => {
    const answer = await get('/probe');
    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toBe('Unauthorized');
    const ways = ['X-API-KEY header', 'base64(apiKey:apiSecret)', 'HTTP Basic credentials', 'session cookie'];
    for (const way of ways) expect(messageOf(answer)).toContain(way);
  });

  test('an unknown key, a wrong secret and garbage get the same answer', async () => {
    const other = await t.newKey(user);
    const unknown = `ak_${'0'.repeat(24)}`;
    const bodies = await Promise.all(
      [`${unknown}:${key.apiSecret}`, `${key.apiKey}:${other.apiSecret}`, 'x:y'].map(async (pair) => {
        const { requestId: _id, ...body } = (await get('/probe', keyHeader(base64(pair)))).json();
        return body;
      }),
    );
    for (const body of bodies) expect(body).toEqual({ error: 'Unauthorized', message: 'Invalid API key' });
  });

  test('Basic without a name, with a name that no key has, or with one too long for the replica is refused with 401', async () => {
    for (const name of ['', 'x', 'a'.repeat(400)]) {
      const answer = await get('/probe', basic(name, 'x'));
      expect([answer.statusCode, messageOf(answer)]).toEqual([401, 'Invalid API key']);
    }
  });

  test('Basic with the name of one key and the pair of another key is refused', async () => {
    const other = await t.newKey(user);
    expect((await get('/probe', basic(key.apiKey, other.credential))).statusCode).toBe(401);
  });

  test('two Authorization headers are refused even when both are valid', async () => {
    await t.app.listen({ host: '127.0.0.1', port: 0 });
    const address = t.app.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { connect } = await import('node:net');
    const value = basic(key.apiKey, key.apiSecret).authorization;
    const ask = (lines: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        let said = '';
        socket.on('data', (part) => {
          said += part.toString();
        });
        socket.on('end', () => resolve(said.split('\r\n')[0] ?? '')).on('error', reject);
        socket.write(['GET /probe HTTP/1.1', 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n'));
      });
    expect(await ask([`Authorization: ${value}`])).toBe('HTTP/1.1 200 OK');
    expect(await ask([`Authorization: ${value}`, `authorization: ${value}`])).toBe(
      'HTTP/1.1 401 Unauthorized',
    );
    expect(await ask([`X-API-KEY: ${key.credential}`, `X-API-KEY: ${key.credential}`])).toBe(
      'HTTP/1.1 401 Unauthorized',
    );
  });
});

describe('the challenge', () => {
  test('401 carries WWW-Authenticate on the API surface and never on the web surface', async () => {
    const api = await get('/probe');
    const web = await get('/api/probe');
    expect(api.headers['www-authenticate']).toBe('Basic realm="api", charset="UTF-8"');
    expect([web.statusCode, web.headers['www-authenticate']]).toEqual([401, undefined]);
  });
});

describe('public and optional routes', () => {
  test('a public route ignores credentials, even wrong ones', async () => {
    const answer = await get('/probe/public', keyHeader('wrong'));
    expect(answer.json()).toMatchObject({ kind: 'anonymous', id: '127.0.0.1', plan: 'ANONYMOUS' });
  });

  test('an optional route accepts anonymous callers and valid keys and refuses a wrong key', async () => {
    expect((await get('/probe/optional')).json()).toMatchObject({ kind: 'anonymous', accountId: '' });
    expect((await get('/probe/optional', keyHeader(key.credential))).json()).toMatchObject({ id: key.id });
    expect((await get('/probe/optional', keyHeader('wrong'))).statusCode).toBe(401);
  });
});

describe('sessions', () => {
  test('a same-site session is accepted where keys are, as the same account', async () => {
    const cookie = await t.newCookie(user);
    for (const from of [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-site' },
      { origin: WEB_URL },
    ]) {
      const answer = await get('/probe', { cookie, ...from });
      expect([answer.statusCode, answer.json()]).toMatchObject([
        200,
        { kind: 'session', accountId: user, plan: 'PRO' },
      ]);
    }
  });

  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['from no browser at all', {}],
  ])('a cookie %s is not accepted as a credential: 401', async (_name, from) => {
    expect((await get('/probe', { cookie: await t.newCookie(user), ...from })).statusCode).toBe(401);
  });

  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from a sibling host', { 'sec-fetch-site': 'same-site', origin: 'https://blog.example.com' }],
    ['from a sandboxed frame', { 'sec-fetch-site': 'same-site', origin: 'null' }],
    ['without saying where from', {}],
  ])('trap 66: a POST with a session %s is refused with 403', async (_name, from) => {
    const answer = await post('/probe', { cookie: await t.newCookie(user), ...from });
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'Forbidden']);
  });

  test("a POST from the dashboard's own pages is accepted", async () => {
    const cookie = await t.newCookie(user);
    expect((await post('/probe', { cookie, ...FROM_DASHBOARD })).statusCode).toBe(200);
    expect((await post('/probe', { cookie, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  });

  test('trap 66: a key-only route refuses a session with 401, and a session-only route refuses a key with 403, because the key is right', async () => {
    const cookie = await t.newCookie(user);
    expect((await get('/probe/key', { cookie, ...FROM_DASHBOARD })).statusCode).toBe(401);
    const withKey = await get('/user/keys', keyHeader(key.credential));
    expect([withKey.statusCode, messageOf(withKey)]).toEqual([
      403,
      'An API key cannot call this route. Sign in to the dashboard and call it with the session.',
    ]);
    expect((await get('/user/keys', keyHeader(base64('x:y')))).statusCode).toBe(401);
  });

  test('a session ends after 12 idle hours, and after 7 days even when in use', async () => {
    const cookie = await t.newCookie(user);
    const status = async () => (await get('/probe', { cookie, ...FROM_DASHBOARD })).statusCode;
    t.clock.advance(12 * 3_600_000 - 1);
    expect(await status()).toBe(200);
    for (let i = 0; i < 13; i += 1) {
      t.clock.advance(12 * 3_600_000 - 1);
      expect(await status()).toBe(200);
    }
    t.clock.advance(60_000);
    expect(await status()).toBe(401);

    const idle = await t.newCookie(user);
    t.clock.advance(12 * 3_600_000);
    expect((await get('/probe', { cookie: idle, ...FROM_DASHBOARD })).statusCode).toBe(401);
  });
});

describe('demands of a route beyond a credential', () => {
  test('trap 66: a plan below PRO gets 403 that names PRO or ENTERPRISE', async () => {
    const free = await t.newUser('free@example.com');
    const answer = await get('/probe/pro', keyHeader((await t.newKey(free)).credential));
    expect(answer.statusCode).toBe(403);
    expect(messageOf(answer)).toContain('PRO or ENTERPRISE');
    expect((await get('/probe/pro', keyHeader(key.credential))).statusCode).toBe(200);
  });

  test('the plan is read at request time: a downgrade applies to the next request', async () => {
    const account = await t.newUser('downgraded@example.com', { plan: 'ENTERPRISE' });
    const own = await t.newKey(account);
    expect((await get('/probe/pro', keyHeader(own.credential))).statusCode).toBe(200);
    await setPlan({ postgres: t.system, clock: t.clock }, OPERATOR, account, { plan: 'BASIC' });
    await t.refresh();
    expect((await get('/probe/pro', keyHeader(own.credential))).statusCode).toBe(403);
  });

  test('a subscription can override single limits of its plan', async () => {
    const account = await t.newUser('custom@example.com', { plan: 'PRO', limits: { checksPerMonth: 7 } });
    const own = await t.newKey(account);
    expect((await get('/probe', keyHeader(own.credential))).json()).toMatchObject({ checksPerMonth: 7 });
  });

  test('organization and role: 403 names the missing one', async () => {
    const alone = await get('/probe/organization', keyHeader(key.credential));
    expect([alone.statusCode, messageOf(alone)]).toEqual([403, expect.stringContaining('organization')]);
    const viewer = await t.newMember('Acme', 'viewer@example.com', 'VIEWER');
    const viewerKey = await t.newKey(viewer.orgId, viewer.userId);
    const answer = await get('/probe/owner', keyHeader(viewerKey.credential));
    expect([answer.statusCode, messageOf(answer)]).toEqual([403, expect.stringContaining('OWNER or ADMIN')]);
    expect((await get('/probe/organization', keyHeader(viewerKey.credential))).json()).toMatchObject({
      accountId: viewer.orgId,
    });
    const owner = await t.newMember('Acme', 'owner@example.com', 'OWNER');
    const ownerKey = await t.newKey(owner.orgId, owner.userId);
    expect((await get('/probe/owner', keyHeader(ownerKey.credential))).statusCode).toBe(200);
  });

  test("trap 67: no licence, an expired one or another account's is 403; an active one passes", async () => {
    const manage = { postgres: t.system, clock: t.clock };
    const wanted = { accountId: user, label: '', expiresAtMs: t.clock.now() + 1_000 };
    const active = await createLicence(manage, OPERATOR, wanted);
    const other = await createLicence(manage, OPERATOR, {
      ...wanted,
      accountId: await t.newUser('o@example.com'),
    });
    await t.refresh();
    const ask = async (licence?: string) =>
      (
        await post('/probe/licence', {
          ...keyHeader(key.credential),
          ...(licence !== undefined && { 'x-license-key': licence }),
        })
      ).statusCode;
    expect(await ask()).toBe(403);
    expect(await ask('')).toBe(403);
    expect(await ask('nonsense')).toBe(403);
    expect(await ask(other.licence)).toBe(403);
    expect(await ask(active.licence)).toBe(200);
    t.clock.advance(1_000);
    expect(await ask(active.licence)).toBe(403);
  });

  test('a key with an allow list gets 403 from other addresses; a wrong secret gets 401 there', async () => {
    const home = await t.newKey(user, user, ['203.0.113.0/24', '2001:db8::/32']);
    const from = async (remoteAddress: string, credential: string) =>
      (await t.app.inject({ url: '/probe', headers: keyHeader(credential), remoteAddress })).statusCode;
    expect(await from('203.0.113.9', home.credential)).toBe(200);
    expect(await from('::ffff:203.0.113.9', home.credential)).toBe(200);
    expect(await from('2001:db8::9', home.credential)).toBe(200);
    expect(await from('198.51.100.1', home.credential)).toBe(403);
    expect(await from('198.51.100.1', base64(`${home.apiKey}:${key.apiSecret}`))).toBe(401);
  });

  test('trap 68: a forwarded address from an untrusted peer is ignored', async () => {
    const home = await t.newKey(user, user, ['203.0.113.0/24']);
    const answer = await t.app.inject({
      url: '/probe',
      headers: { ...keyHeader(home.credential), 'x-forwarded-for': '203.0.113.9' },
      remoteAddress: '198.51.100.1',
    });
    expect(answer.statusCode).toBe(403);
  });
});

describe('the life of a key', () => {
  test('a revoked key is refused as soon as the log entry arrives', async () => {
    const own = await t.newKey(user);
    expect((await get('/probe', keyHeader(own.credential))).statusCode).toBe(200);
    const scope = { accountId: user, userId: null };
    await revokeKey({ postgres: t.system, clock: t.clock }, OPERATOR, scope, own.id);
    await t.refresh();
    expect((await get('/probe', keyHeader(own.credential))).statusCode).toBe(401);
  });

  test('after a rotation both secrets work until the overlap ends', async () => {
    const own = await t.newKey(user);
    const deps = { postgres: t.system, clock: t.clock, pepper: t.access.pepper };
    const rotated = await rotateKey(deps, OPERATOR, { accountId: user, userId: null }, own.id, 3_600_000);
    await t.refresh();
    const statuses = async () => [
      (await get('/probe', keyHeader(own.credential))).statusCode,
      (await get('/probe', keyHeader(rotated.credential))).statusCode,
    ];
    expect(rotated.apiKey).toBe(own.apiKey);
    expect(await statuses()).toEqual([200, 200]);
    t.clock.advance(3_600_000);
    expect(await statuses()).toEqual([401, 200]);
  });

  test('last use is stored to the minute, in one write for many requests', async () => {
    const own = await t.newKey(user);
    for (let i = 0; i < 5; i += 1) await get('/probe', keyHeader(own.credential));
    expect(await t.access.flushUsage()).toBeGreaterThan(0);
    expect(await t.access.flushUsage()).toBe(0);
    const cookie = await t.newCookie(user);
    const { keys } = (await get('/user/keys', { cookie, ...FROM_DASHBOARD })).json() as {
      keys: { id: string; lastUsedAt: string | null }[];
    };
    const minuteMs = t.clock.now() - (t.clock.now() % 60_000);
    expect(keys.find(({ id }) => id === own.id)?.lastUsedAt).toBe(new Date(minuteMs).toISOString());
  });
});

describe('guessing', () => {
  test('wrong credentials from one address become 429; a valid one is still accepted', async () => {
    const limit = t.config.AUTH_FAILURES_PER_MINUTE;
    expect(limit).toBe(100);
    t.clock.advance(60_000);
    const guess = (remoteAddress: string) =>
      t.app.inject({ url: '/probe', headers: keyHeader(base64(`${key.apiKey}:guess`)), remoteAddress });
    for (let i = 0; i < limit; i += 1) expect((await guess('198.51.100.7')).statusCode).toBe(401);
    const refused = await guess('198.51.100.7');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ error: 'Rate Limited', plan: 'ANONYMOUS' });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((await guess('198.51.100.8')).statusCode).toBe(401);
    const right = await t.app.inject({
      url: '/probe',
      headers: keyHeader(key.credential),
      remoteAddress: '198.51.100.7',
    });
    expect(right.statusCode).toBe(200);
  });
});
