import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey, rotateKey } from '#capabilities/access/index.ts';
import { registry } from '#platform/metrics.ts';
import { createTestAccess, OPERATOR, type TestAccess } from '#test/access.ts';
import { eventually } from '#test/eventually.ts';

/** Keys on a node whose replica does not follow PostgreSQL (reliability A1 and S1), through the whole HTTP stack. */
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

beforeAll(async () => {
  t = await createTestAccess();
  user = await t.newUser('soc@example.com', { plan: 'PRO' });
  key = await t.newKey(user);
});
afterAll(() => t?.close());

describe('while the replicator is stuck and PostgreSQL answers', () => {
  beforeAll(() => t.setContactAge(t.config.REPLICA_STALE_MS + 1));
  afterAll(() => t.setContactAge(0));
  const status = async (credential: string, url = '/probe') =>
    (await get(url, keyHeader(credential))).statusCode;
  /** Repeats the request: a busy machine may exceed its 300 ms for PostgreSQL, and then the replica decides. */
  const becomes = (wanted: number, headers: Record<string, string>) =>
    eventually(
      `the answer is ${wanted}`,
      10_000,
      async () => (await get('/probe', headers)).statusCode === wanted,
    );

  test('reliability S1: a revoked key is refused and a valid one works, although the replica knows of neither change', async () => {
    t.setContactAge(0);
    const [leaked, valid] = [await t.newKey(user), await t.newKey(user)];
    expect([await status(leaked.credential), await status(valid.credential)]).toEqual([200, 200]);
    const scope = { accountId: user, userId: null };
    await revokeKey({ postgres: t.system, clock: t.clock }, OPERATOR, scope, leaked.id);
    expect(await status(leaked.credential)).toBe(200);
    t.setContactAge(t.config.REPLICA_STALE_MS + 1);
    await becomes(401, keyHeader(leaked.credential));
    expect(await status(valid.credential)).toBe(200);
    await becomes(401, basic('anything', leaked.credential));
  });

  test('an old secret that a rotation ended is refused, the new one works, and so does a key made meanwhile', async () => {
    t.setContactAge(0);
    const key2 = await t.newKey(user);
    t.setContactAge(t.config.REPLICA_STALE_MS + 1);
    const manage = { postgres: t.system, clock: t.clock, pepper: t.access.pepper };
    const scope = { accountId: user, userId: null };
    const rotated = await rotateKey(manage, OPERATOR, scope, key2.id, 0);
    await becomes(401, keyHeader(key2.credential));
    await becomes(200, keyHeader(rotated.credential));
    const wanted = { accountId: user, userId: user, label: '', allowedCidrs: [] };
    const fresh = await createKey(manage, OPERATOR, wanted);
    await becomes(200, keyHeader(fresh.credential));
    expect(await status(base64(`ak_${'0'.repeat(24)}:${fresh.apiSecret}`))).toBe(401);
  });

  test('a thousand calls with one key cause one look-up a second', async () => {
    const own = await t.newKey(user);
    for (let i = 0; i < 10; i += 1) {
      const statuses = await Promise.all(Array.from({ length: 100 }, () => status(own.credential)));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    const metric = await registry.getSingleMetric('assay_key_confirmations_total')?.get();
    const answered = metric?.values.find(({ labels }) => labels.outcome === 'answered')?.value ?? 0;
    expect(answered).toBeLessThan(100);
  });
});

describe('while PostgreSQL is away', () => {
  beforeAll(() => t.setKeysAway(true));
  afterAll(() => {
    t.setContactAge(0);
    t.setKeysAway(false);
  });

  test('a known key is served until KEY_STALE_MAX_MS, then 503 with Retry-After', async () => {
    t.setContactAge(t.config.KEY_STALE_MAX_MS - 1);
    expect((await get('/probe', keyHeader(key.credential))).statusCode).toBe(200);
    t.setContactAge(t.config.KEY_STALE_MAX_MS);
    const answer = await get('/probe', keyHeader(key.credential));
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  test('an unknown key is 401 while the replica is fresh, and 503 after 5 s: it may be newer than the replica', async () => {
    // A key that no earlier test has looked up, because an answer of PostgreSQL is remembered for a second.
    const unknown = keyHeader(base64(`ak_${'1'.repeat(24)}:${key.apiSecret}`));
    t.setContactAge(5_000);
    expect((await get('/probe', unknown)).statusCode).toBe(401);
    t.setContactAge(5_001);
    const answer = await get('/probe', unknown);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    expect((await get('/probe', keyHeader('garbage'))).statusCode).toBe(401);
    expect((await get('/probe', keyHeader(base64(`${key.apiKey}:x`)))).statusCode).toBe(401);
  });
});
