import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadiness } from '#platform/http/readiness.ts';
import { createHttpServer } from '#platform/http/server.ts';
import { createLog } from '#platform/log.ts';
import { connectPostgres } from '#platform/postgres.ts';
import { createTestAccess, FROM_DASHBOARD, localGuard, type TestAccess } from '#test/access.ts';
import { PATIENT } from '#test/database.ts';
import { calmShedder } from '#test/http-app.ts';
import { bySize } from '#test/lane.ts';
import { createAccess } from './access.ts';
import type { ApiKeyList, RevealedApiKey } from './contract.ts';
import { accessRoutes } from './routes.ts';

/** Requests at once, limited by the pool: more would wait for a connection until their deadline. */
const AT_ONCE = bySize(10, 50);
const RETRIES = bySize(60, 1_000);

let t: TestAccess;
let user: string;
let cookie: string;
let owner: pg.Client;

type Answer = { readonly statusCode: number; readonly json: <T>() => T };
const call = (
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  options: { cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
) =>
  t.app.inject({
    method,
    url,
    headers: {
      ...FROM_DASHBOARD,
      cookie: options.cookie ?? cookie,
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { payload: JSON.stringify(options.body) }),
  });
const errorOf = (answer: Answer) => [answer.statusCode, answer.json<{ error: string }>().error];
const statusWith = async (authHeader: string) =>
  (await t.app.inject({ url: '/probe', headers: { 'x-api-key': authHeader.replace('X-API-KEY: ', '') } }))
    .statusCode;

beforeAll(async () => {
  t = await createTestAccess();
  owner = new pg.Client({ connectionString: t.database.url });
  await owner.connect();
  user = await t.newUser('dashboard@example.com');
  cookie = await t.newCookie(user);
});
afterAll(async () => {
  await owner?.end();
  await t?.close();
});

describe('POST /user/keys', () => {
  test('201: the secret is shown this once, and the header works as it stands', async () => {
    const answer = await call('POST', '/user/keys', {
      body: { label: ' firewall ', allowedCidrs: ['127.0.0.9/8'] },
    });
    expect(answer.statusCode).toBe(201);
    const made = answer.json<RevealedApiKey>();
    expect(made).toMatchObject({ label: 'firewall', allowedCidrs: ['127.0.0.0/8'], lastUsedAt: null });
    await t.refresh();
    expect(await statusWith(made.authHeader)).toBe(200);
    const listed = (await call('GET', '/user/keys')).json<{ keys: { id: string }[] }>();
    expect(listed.keys.map(({ id }) => id)).toContain(made.id);
    expect(JSON.stringify(listed)).not.toContain(made.apiSecret);
  });

  test('201 on the web surface as well', async () => {
    expect((await call('POST', '/api/user/keys', { body: {} })).statusCode).toBe(201);
  });

  test.each([
    ['a range that is invalid', { allowedCidrs: ['example.com'] }],
    ['a label too long', { label: 'x'.repeat(101) }],
    ['too many ranges', { allowedCidrs: Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`) }],
  ])('400: %s', async (_name, body) => {
    expect(errorOf(await call('POST', '/user/keys', { body }))).toEqual([400, 'Bad Request']);
  });

  test('401 without a session, 403 from another site', async () => {
    expect((await t.app.inject({ method: 'POST', url: '/user/keys' })).statusCode).toBe(401);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(errorOf(await call('POST', '/user/keys', { body: {}, headers: foreign }))).toEqual([
      403,
      'Forbidden',
    ]);
  });

  test('403: a viewer cannot make keys', async () => {
    const { orgId, userId } = await t.newMember('Viewers', 'viewer@example.com', 'VIEWER');
    const viewer = await t.newCookie(orgId, userId);
    expect(errorOf(await call('POST', '/user/keys', { cookie: viewer, body: {} }))).toEqual([
      403,
      'Forbidden',
    ]);
    expect((await call('GET', '/user/keys', { cookie: viewer })).statusCode).toBe(200);
  });
});

describe('GET /user/keys', () => {
  const listed = async (as: string) =>
    Object.fromEntries(
      (await call('GET', '/user/keys', { cookie: as }))
        .json<ApiKeyList>()
        .keys.map(({ id, openSessions, opensThisSession }) => [id, [openSessions, opensThisSession]]),
    );

  test('counts the open sessions of each key, and names the key of the session that asks', async () => {
    const account = await t.newUser('counted@example.com');
    const [one, two] = [await t.newKey(account), await t.newKey(account)];
    const asOne = await t.newCookie(account, account, one.id);
    await t.newCookie(account, account, one.id);
    expect(await listed(asOne)).toEqual({ [one.id]: [2, true], [two.id]: [0, false] });
    expect(await listed(await t.newCookie(account))).toEqual({ [one.id]: [2, false], [two.id]: [0, false] });
    // Ends the open sessions: an unused session ends after 12 hours.
    t.clock.advance(12 * 3_600_000);
    const asTwo = await t.newCookie(account, account, two.id);
    expect(await listed(asTwo)).toEqual({ [one.id]: [0, false], [two.id]: [1, true] });
    t.clock.advance(-12 * 3_600_000);
  });
});

describe('DELETE /user/keys/:id', () => {
  test('204, then the key is gone from the list, is refused, and a second call is 404', async () => {
    const made = (await call('POST', '/user/keys', { body: {} })).json<RevealedApiKey>();
    const answer = await call('DELETE', `/user/keys/${made.id}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    await t.refresh();
    expect(await statusWith(made.authHeader)).toBe(401);
    expect(errorOf(await call('DELETE', `/user/keys/${made.id}`))).toEqual([404, 'Not Found']);
  });

  test("404: another account's key, answered like one that does not exist", async () => {
    const stranger = await t.newUser('stranger@example.com');
    const theirs = await t.newKey(stranger);
    for (const id of [theirs.id, 'key_00000000000000000000000000']) {
      expect((await call('DELETE', `/user/keys/${id}`)).json()).toMatchObject({
        error: 'Not Found',
        message: `API key '${id}' was not found.`,
      });
      expect(errorOf(await call('POST', `/user/keys/${id}/rotate`, { body: {} }))).toEqual([
        404,
        'Not Found',
      ]);
    }
    expect(await statusWith(theirs.credential)).toBe(200);
  });

  test("404: another member's key for a member; an administrator may", async () => {
    const boss = await t.newMember('Team', 'boss@example.com', 'ADMIN');
    const member = await t.newMember('Team', 'member@example.com', 'MEMBER');
    const bossKey = await t.newKey(boss.orgId, boss.userId);
    const memberKey = await t.newKey(member.orgId, member.userId);
    const asMember = await t.newCookie(member.orgId, member.userId);
    const asBoss = await t.newCookie(boss.orgId, boss.userId);
    const idsOf = async (as: string) =>
      (await call('GET', '/user/keys', { cookie: as }))
        .json<{ keys: { id: string }[] }>()
        .keys.map(({ id }) => id);
    expect(await idsOf(asMember)).toEqual([memberKey.id]);
    expect((await idsOf(asBoss)).sort()).toEqual([bossKey.id, memberKey.id].sort());
    expect((await call('DELETE', `/user/keys/${bossKey.id}`, { cookie: asMember })).statusCode).toBe(404);
    expect((await call('DELETE', `/user/keys/${memberKey.id}`, { cookie: asBoss })).statusCode).toBe(204);
  });
});

describe('POST /user/keys/:id/rotate', () => {
  test('200: both secrets work for a day unless another overlap is named', async () => {
    const made = (await call('POST', '/user/keys', { body: {} })).json<RevealedApiKey>();
    const first = (await call('POST', `/user/keys/${made.id}/rotate`)).json<RevealedApiKey>();
    expect(first.apiKey).toBe(made.apiKey);
    expect(Date.parse(first.previousSecretValidUntil ?? '')).toBe(t.clock.now() + 86_400_000);
    await t.refresh();
    expect([await statusWith(made.authHeader), await statusWith(first.authHeader)]).toEqual([200, 200]);

    const body = { overlapSeconds: 0 };
    const second = (await call('POST', `/user/keys/${made.id}/rotate`, { body })).json<RevealedApiKey>();
    expect(second.previousSecretValidUntil).toBeNull();
    await t.refresh();
    expect([await statusWith(first.authHeader), await statusWith(second.authHeader)]).toEqual([401, 200]);
  });

  test('400: an overlap of more than a day', async () => {
    const made = (await call('POST', '/user/keys', { body: {} })).json<RevealedApiKey>();
    const answer = await call('POST', `/user/keys/${made.id}/rotate`, { body: { overlapSeconds: 86_401 } });
    expect(answer.statusCode).toBe(400);
  });
});

describe('Idempotency-Key', () => {
  const keysOf = async (account: string) =>
    (await owner.query('select count(*)::int as n from api_key where account_id = $1', [account])).rows[0].n;
  const create = (as: string, key: string, body: unknown = { label: 'once' }) =>
    call('POST', '/user/keys', { cookie: as, body, headers: { 'idempotency-key': key } });

  test('the same key and body replay status and body, in any order of the fields', async () => {
    const account = await t.newUser('again@example.com');
    const as = await t.newCookie(account);
    const first = await create(as, 'a', { label: 'x', allowedCidrs: [] });
    const again = await create(as, 'a', { allowedCidrs: [], label: 'x' });
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(await keysOf(account)).toBe(1);
  });

  test(`${RETRIES} retries, many at once, make one key and one answer`, async () => {
    const account = await t.newUser('storm@example.com');
    const as = await t.newCookie(account);
    // A busy machine answers 503 before anything is done; such a request is sent again.
    const storm = async () => {
      let answer = await create(as, 'storm');
      while (answer.statusCode === 503) answer = await create(as, 'storm');
      return answer;
    };
    const bodies = new Set<string>();
    for (let round = 0; round < RETRIES / AT_ONCE; round += 1)
      // Each call reads its session from PostgreSQL, so a round is limited by the pool.
      for (const answer of await Promise.all(Array.from({ length: AT_ONCE }, storm))) {
        expect(answer.statusCode).toBe(201);
        bodies.add(answer.body);
      }
    expect(bodies.size).toBe(1);
    expect(await keysOf(account)).toBe(1);
  });

  test('two processes with the same key at the same moment make one key', async () => {
    const other = secondProcess();
    const account = await t.newUser('race@example.com');
    const as = await t.newCookie(account);
    const inject = { method: 'POST' as const, url: '/user/keys', payload: '{}' };
    for (let round = 0; round < 20; round += 1) {
      const headers = {
        ...FROM_DASHBOARD,
        cookie: as,
        'content-type': 'application/json',
        'idempotency-key': `r${round}`,
      };
      const [one, two] = await Promise.all([
        t.app.inject({ ...inject, headers }),
        other.inject({ ...inject, headers }),
      ]);
      expect([one.statusCode, two.statusCode]).toEqual([201, 201]);
      expect(one.body).toBe(two.body);
    }
    expect(await keysOf(account)).toBe(20);
    await other.close();
  });

  test('409: the same key with a different body, and from another member with the same body', async () => {
    const one = await t.newMember('Shared', 'one@example.com', 'MEMBER');
    const two = await t.newMember('Shared', 'two@example.com', 'MEMBER');
    const asOne = await t.newCookie(one.orgId, one.userId);
    const asTwo = await t.newCookie(two.orgId, two.userId);
    expect((await create(asOne, 'k')).statusCode).toBe(201);
    expect(errorOf(await create(asOne, 'k', { label: 'other' }))).toEqual([409, 'Conflict']);
    expect(errorOf(await create(asTwo, 'k'))).toEqual([409, 'Conflict']);
    expect((await create(await t.newCookie(user), 'k')).statusCode).toBe(201);
  });

  test('a failure is not stored: the retry runs', async () => {
    const account = await t.newUser('retry@example.com');
    const as = await t.newCookie(account);
    const rotate = (id: string) =>
      call('POST', `/user/keys/${id}/rotate`, { cookie: as, body: {}, headers: { 'idempotency-key': 'f' } });
    expect((await rotate('key_00000000000000000000000000')).statusCode).toBe(404);
    const key = await t.newKey(account);
    expect((await rotate(key.id)).statusCode).toBe(200);
  });

  test('the change and its stored reply are one transaction: when the reply cannot be stored, nothing is changed', async () => {
    const account = await t.newUser('atomic@example.com');
    const as = await t.newCookie(account);
    await owner.query(
      `alter table idempotency_key add constraint no_reply check (account_id <> '${account}' or status is null)`,
    );
    try {
      expect((await create(as, 'atomic')).statusCode).toBe(500);
    } finally {
      await owner.query('alter table idempotency_key drop constraint no_reply');
    }
    expect(await keysOf(account)).toBe(0);
    expect((await create(as, 'atomic')).statusCode).toBe(201);
    expect(await keysOf(account)).toBe(1);
  });

  test('the stored reply does not hold the secret in clear text', async () => {
    const account = await t.newUser('sealed@example.com');
    const made = (await create(await t.newCookie(account), 'sealed')).json<RevealedApiKey>();
    const { rows } = await owner.query('select response from idempotency_key where account_id = $1', [
      account,
    ]);
    expect(rows[0].response.length).toBeGreaterThan(made.apiSecret.length);
    expect(rows[0].response.includes(made.apiSecret)).toBe(false);
  });

  test('after 24 hours the key is free again', async () => {
    const account = await t.newUser('later@example.com');
    const first = await create(await t.newCookie(account), 'day');
    t.clock.advance(86_400_000);
    const second = await create(await t.newCookie(account), 'day');
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.body).not.toBe(first.body);
    expect(await keysOf(account)).toBe(2);
  });

  test.each([
    ['longer than 255', 'x'.repeat(256)],
    ['empty', ''],
    ['with a space', 'a b'],
  ])('400: a key %s', async (_name, key) => {
    expect((await create(await t.newCookie(user), key)).statusCode).toBe(400);
  });
});

/** Stands for a second process: its own memory and its own pool over the same database. */
function secondProcess() {
  const postgres = connectPostgres(t.config, 'assay_app', PATIENT);
  const replica = {
    view: () => ({ seq: 0, generation: '', contactAtMs: t.clock.now(), get: () => undefined }),
  };
  const guard = localGuard(t.config, t.clock);
  const access = createAccess({
    config: t.config,
    clock: t.clock,
    postgres,
    system: t.system,
    replica,
    guard,
  });
  const app = createHttpServer({
    config: t.config,
    clock: t.clock,
    log: createLog('silent'),
    readiness: createReadiness(),
    shedder: calmShedder(),
    routes: accessRoutes(access),
    gates: {
      identify: access.identify,
      idempotent: access.idempotent,
      refuseEarly: () => undefined,
      admit: () => null,
      refund: () => undefined,
    },
  });
  app.addHook('onClose', () => postgres.close());
  return app;
}
