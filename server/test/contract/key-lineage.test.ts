import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiKey, RevealedApiKey } from '#capabilities/access/contract.ts';
import { createTestAccess, FROM_DASHBOARD, type TestAccess } from '#test/access.ts';
import { bySize } from '#test/lane.ts';

/** A session opened by a key pair has at most the rights of the pair; keys made in it end with the pair if not kept. */
let t: TestAccess;
let owner: pg.Client;
let user: string;
let users = 0;
beforeAll(async () => {
  t = await createTestAccess();
  owner = new pg.Client({ connectionString: t.database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await t?.close();
});

const RACES = bySize(8, 100);
const INSIDE = '203.0.113.5';
const OUTSIDE = '198.51.100.1';
type Pair = { readonly apiKey: string; readonly apiSecret: string };
type Answer = Awaited<ReturnType<typeof call>>;

const newUser = async () => {
  users += 1;
  user = await t.newUser(`lineage-${users}@example.com`, { plan: 'PRO' });
  return user;
};
const call = (method: 'GET' | 'POST' | 'DELETE', url: string, cookie: string, payload?: object) =>
  t.app.inject({
    method,
    url,
    headers: { ...FROM_DASHBOARD, cookie },
    remoteAddress: INSIDE,
    ...(payload !== undefined && { payload }),
  });
const signIn = ({ apiKey, apiSecret }: Pair) => call('POST', '/api/auth/session', '', { apiKey, apiSecret });
const cookieOf = (answer: Answer) =>
  String([answer.headers['set-cookie']].flat()[0] ?? '').split(';')[0] ?? '';
const open = async (pair: Pair) => cookieOf(await signIn(pair));
const make = async (cookie: string, body: object = {}) => {
  const answer = await call('POST', '/user/keys', cookie, body);
  await t.refresh();
  return answer.json<RevealedApiKey>();
};
const revoke = async (cookie: string, id: string, query = '') => {
  const answer = await call('DELETE', `/user/keys/${id}${query}`, cookie);
  await t.refresh();
  return answer;
};
const works = async ({ apiKey, apiSecret }: Pair, from = INSIDE) => {
  const header = Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
  return (await t.app.inject({ url: '/probe', headers: { 'x-api-key': header }, remoteAddress: from }))
    .statusCode;
};
const isOpen = async (cookie: string) => (await call('GET', '/probe', cookie)).statusCode === 200;
const listed = async (cookie: string) =>
  (await call('GET', '/user/keys', cookie)).json<{ keys: ApiKey[] }>().keys;

describe('a key made in a session that a key pair opened', () => {
  test('inherits the allow list, may have a narrower one, and never a wider one', async () => {
    const parent = await t.newKey(await newUser(), user, ['203.0.113.0/24', '2001:db8::/48']);
    const cookie = await open(parent);
    const inherited = await make(cookie);
    expect(inherited.allowedCidrs).toEqual(['203.0.113.0/24', '2001:db8::/48']);
    expect([await works(inherited), await works(inherited, OUTSIDE)]).toEqual([200, 403]);
    const narrower = { allowedCidrs: ['203.0.113.4/30', '2001:db8:0:7::/64'] };
    expect((await make(cookie, narrower)).allowedCidrs).toEqual(narrower.allowedCidrs);
    for (const wider of ['0.0.0.0/0', '203.0.112.0/23', '198.51.100.1', '::/0', '2001:db8:1::/48']) {
      const answer = await call('POST', '/user/keys', cookie, { allowedCidrs: ['203.0.113.4', wider] });
      expect([answer.statusCode, answer.json().message], wider).toEqual([
        400,
        expect.stringContaining('outside the allow list of the key you signed in with'),
      ]);
    }
  });

  test('is listed with the key it comes from, and ends with it, its own descendants and their sessions too', async () => {
    const parent = await t.newKey(await newUser());
    const cookie = await open(parent);
    const child = await make(cookie);
    const childCookie = await open(child);
    const grandchild = await make(childCookie);
    const grandchildCookie = await open(grandchild);
    const other = await t.newKey(user);
    const otherCookie = await open(other);
    const parents = Object.fromEntries((await listed(otherCookie)).map(({ id, parentId }) => [id, parentId]));
    expect(parents).toEqual({
      [parent.id]: null,
      [child.id]: parent.id,
      [grandchild.id]: child.id,
      [other.id]: null,
    });
    expect((await revoke(otherCookie, parent.id)).statusCode).toBe(204);
    expect(await Promise.all([parent, child, grandchild, other].map((pair) => works(pair)))).toEqual([
      401, 401, 401, 200,
    ]);
    expect(await Promise.all([cookie, childCookie, grandchildCookie, otherCookie].map(isOpen))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const { rows } = await owner.query(
      `select target from audit_entry where account_id = $1 and action = 'key.revoke' order by target`,
      [user],
    );
    expect(rows.map(({ target }) => target)).toEqual([parent.id, child.id, grandchild.id].sort());
  });

  test('stays when the person keeps it, and then comes from the key before', async () => {
    const parent = await t.newKey(await newUser());
    const child = await make(await open(parent));
    const grandchild = await make(await open(child));
    const other = await open(await t.newKey(user));
    expect((await revoke(other, child.id, '?keepDescendants=true')).statusCode).toBe(204);
    expect([await works(child), await works(grandchild)]).toEqual([401, 200]);
    expect((await listed(other)).find(({ id }) => id === grandchild.id)?.parentId).toBe(parent.id);
    await revoke(other, parent.id);
    expect(await works(grandchild)).toBe(401);
  });

  test('cannot be kept by a session of the revoked key or of one made by it', async () => {
    const parent = await t.newKey(await newUser());
    const cookie = await open(parent);
    const child = await make(cookie);
    for (const thief of [cookie, await open(child)]) {
      const answer = await revoke(thief, parent.id, '?keepDescendants=true');
      expect([answer.statusCode, answer.json().message]).toEqual([
        403,
        expect.stringContaining('Sign in with another key'),
      ]);
    }
    expect((await revoke(cookie, parent.id)).statusCode).toBe(204);
    expect(await works(child)).toBe(401);
  });

  test('made while its key is being revoked either ends with it or is refused: a series of races leaves no key behind', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const parent = await t.newKey(await newUser());
      const cookie = await open(parent);
      const other = await open(await t.newKey(user));
      await Promise.all([
        call('POST', '/user/keys', cookie, {}),
        call('DELETE', `/user/keys/${parent.id}`, other),
        call('POST', '/user/keys', cookie, {}),
      ]);
      const { rows } = await owner.query(
        `select id from api_key where parent_id = $1 and revoked_at is null`,
        [parent.id],
      );
      expect(rows).toEqual([]);
    }
  });
});

describe('rotation in a session that a key pair opened', () => {
  test('reaches that key and its descendants, and no other key, whose secret it would reveal', async () => {
    const bound = await t.newKey(await newUser(), user, ['203.0.113.0/24']);
    const cookie = await open(bound);
    const child = await make(cookie);
    const unbound = await t.newKey(user);
    const rotate = (id: string) => call('POST', `/user/keys/${id}/rotate`, cookie, { overlapSeconds: 60 });
    const refused = await rotate(unbound.id);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringContaining('only that key and the keys made with it'),
    ]);
    expect(await works(unbound, OUTSIDE)).toBe(200);
    expect([(await rotate(child.id)).statusCode, (await rotate(bound.id)).statusCode]).toEqual([200, 200]);
  });

  test('leaves the descendants as they are', async () => {
    const parent = await t.newKey(await newUser());
    const cookie = await open(parent);
    const child = await make(cookie);
    await call('POST', `/user/keys/${parent.id}/rotate`, cookie, { overlapSeconds: 0 });
    await t.refresh();
    expect([await works(parent), await works(child), await isOpen(cookie)]).toEqual([401, 200, false]);
  });
});

describe('a key that cannot sign in', () => {
  test('works as a key, is listed as such, and is told at the door why it opens no session', async () => {
    await t.newKey(await newUser());
    const cookie = await open(await t.newKey(user));
    const machine = await make(cookie, { canSignIn: false });
    expect(machine.canSignIn).toBe(false);
    expect(await works(machine)).toBe(200);
    const answer = await signIn(machine);
    expect([answer.statusCode, answer.json().message]).toEqual([
      403,
      'This key pair was made for programs and cannot open a session. Sign in with another key pair.',
    ]);
    const barred = (await listed(cookie)).filter(({ canSignIn }) => !canSignIn);
    expect(barred.map(({ id }) => id)).toEqual([machine.id]);
    const current = await open(await t.newKey(user));
    const { apiKey, apiSecret } = machine;
    await call('POST', '/api/auth/session', current, { apiKey, apiSecret });
    expect(await isOpen(current)).toBe(true);
  });
});
