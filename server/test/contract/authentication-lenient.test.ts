import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '#capabilities/access/index.ts';
import { createTestAccess, OPERATOR, type TestAccess } from '#test/access.ts';

/** Routes on which every caller is answered: a credential that is not accepted counts as none (decisions 1.3, O38). */
let t: TestAccess;
let user: string;
let key: Awaited<ReturnType<TestAccess['newKey']>>;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const who = async (headers: Record<string, string>) => {
  const answer = await t.app.inject({ method: 'GET', url: '/probe/lenient', headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().kind;
};

beforeAll(async () => {
  t = await createTestAccess();
  user = await t.newUser('soc@example.com', { plan: 'PRO' });
  key = await t.newKey(user);
});
afterAll(() => t?.close());

describe('on a lenient route', () => {
  test('a key that is accepted is the caller', async () => {
    expect(await who({ 'x-api-key': key.credential })).toBe('key');
  });

  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['an empty header', { 'x-api-key': '' }],
    ['a wrong pair', { 'x-api-key': base64(`ak_${'a'.repeat(24)}:sk_${'b'.repeat(43)}`) }],
    ['no pair', { 'x-api-key': 'nonsense' }],
    ['a Bearer token', { authorization: 'Bearer abc' }],
    ['wrong Basic credentials', { authorization: `Basic ${base64('a:b')}` }],
    ['a session that was not issued here', { cookie: '__Secure-sid=x', 'sec-fetch-site': 'same-origin' }],
  ])('%s is anonymous', async (_what, headers) => {
    expect(await who(headers)).toBe('anonymous');
  });

  test('a revoked key, and a key from outside its allow list, is anonymous', async () => {
    const elsewhere = await t.newKey(user, user, ['203.0.113.0/24']);
    expect(await who({ 'x-api-key': elsewhere.credential })).toBe('anonymous');
    const revoked = await t.newKey(user);
    await revokeKey(
      { postgres: t.system, clock: t.clock },
      OPERATOR,
      { accountId: user, userId: null },
      revoked.id,
    );
    await t.refresh();
    expect(await who({ 'x-api-key': revoked.credential })).toBe('anonymous');
  });

  test('a key of the replica is accepted however long the node has been alone, and only here', async () => {
    t.setKeysAway(true);
    t.setContactAge(t.config.KEY_STALE_MAX_MS * 1_000);
    expect(await who({ 'x-api-key': key.credential })).toBe('key');
    const elsewhere = { method: 'GET', url: '/probe', headers: { 'x-api-key': key.credential } } as const;
    expect((await t.app.inject(elsewhere)).statusCode).toBe(503);
    const manage = { postgres: t.system, clock: t.clock, pepper: t.access.pepper };
    const wanted = { accountId: user, userId: user, label: 'new', allowedCidrs: [] };
    const unknown = await createKey(manage, OPERATOR, wanted);
    expect(await who({ 'x-api-key': unknown.credential })).toBe('anonymous');
    t.setKeysAway(false);
    t.setContactAge(0);
  });
});
