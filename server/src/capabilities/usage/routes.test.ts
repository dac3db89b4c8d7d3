import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Principal } from '#platform/http/principal.ts';
import { route } from '#platform/http/route.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { CALLER, capturedLog, POLICY, plainRoute, recordedGates, testApp } from '#test/http-app.ts';
import { RequestCounts } from './request-counts.ts';
import { usageRoutes } from './routes.ts';
import { addCounts, type CountRow } from './store.ts';

const NOON = Date.UTC(2027, 0, 31, 12);
let nowMs = NOON;
const clock = { now: () => nowMs, monotonic: () => performance.now() };
const OTHER: Principal = { ...CALLER, id: 'key_02', accountId: 'org_02', organizationId: 'org_02' };
const SESSION: Principal = { ...CALLER, kind: 'session', id: 'ses_01' };
const ANONYMOUS: Principal = { ...CALLER, kind: 'anonymous', id: '192.0.2.1', accountId: '', userId: '' };

const ROUTES = [
  route({
    method: 'GET',
    path: '/judge',
    summary: 'Answers with one verdict.',
    tags: ['test'],
    policy: POLICY,
    query: z.object({ level: z.string().max(20) }),
    reply: z.object({ level: z.string() }),
    outcome: ({ level }) => level,
    handle: ({ query }) => ({ level: query.level }),
  }),
  route({
    method: 'GET',
    path: '/judge-many',
    summary: 'Answers with many.',
    tags: ['test'],
    policy: POLICY,
    reply: z.object({ ok: z.boolean() }),
    handle: (call) => {
      for (const level of ['high', 'safe', 'high']) call.note(level);
      return { ok: true };
    },
  }),
  plainRoute({ path: '/things/:id' }),
];

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let app: FastifyInstance;
let counts: RequestCounts;
let caller: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  system = asSystem(config, { ...PATIENT, lockTimeoutMs: 200 });
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  counts = new RequestCounts({ system, clock, log: capturedLog('silent').log, flushMs: 3_600_000 });
  const monthOf = async () => ({
    checks: { used: 7, limit: 500 },
    scans: { used: 1, limit: 1_000 },
    resetsAtMs: Date.UTC(2027, 1, 1),
  });
  app = testApp([...ROUTES, ...usageRoutes({ clock, postgres, monthOf })], {
    clock,
    gates: recordedGates({ identify: () => caller }).gates,
    countOf: counts.countOf,
  });
});
afterAll(async () => {
  await app?.close();
  await counts?.close();
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
});
beforeEach(async () => {
  nowMs = NOON;
  caller = CALLER;
  await counts.flush();
  await sql`delete from request_count`.execute(system.db);
});

/** A request is counted when its response closes, which may be after the answer is read. */
async function get(url: string): Promise<number> {
  const { statusCode } = await app.inject({ method: 'GET', url });
  await new Promise((resolve) => setImmediate(resolve));
  return statusCode;
}
const stored = async (): Promise<readonly string[]> => {
  const { rows } = await sql<{ row: string }>`
    select concat_ws(' ', account_id, day, caller_id, route, status_class, verdict, counted) as row
      from request_count order by 1`.execute(system.db);
  return rows.map(({ row }) => row);
};
const analytics = async (query = '') => {
  const answer = await app.inject({ method: 'GET', url: `/user/analytics${query}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

describe('counting', () => {
  test('by account, key or user, day, route, status class and verdict; callers without an account are not counted', async () => {
    await get('/judge?level=critical');
    await get('/judge?level=critical');
    await get('/api/judge?level=safe');
    await get('/judge');
    await get('/things/1');
    await get('/things/2');
    caller = SESSION;
    await get('/judge-many');
    caller = OTHER;
    await get('/judge?level=made-up');
    caller = ANONYMOUS;
    await get('/things/3');
    await counts.flush();
    expect(await stored()).toEqual([
      'org_01 2027-01-31 key_01 GET /api/judge 2  1',
      'org_01 2027-01-31 key_01 GET /api/judge 2 safe 1',
      'org_01 2027-01-31 key_01 GET /judge 2  2',
      'org_01 2027-01-31 key_01 GET /judge 2 critical 2',
      'org_01 2027-01-31 key_01 GET /judge 4  1',
      'org_01 2027-01-31 key_01 GET /things/:id 2  2',
      'org_01 2027-01-31 usr_01 GET /judge-many 2  1',
      'org_01 2027-01-31 usr_01 GET /judge-many 2 high 2',
      'org_01 2027-01-31 usr_01 GET /judge-many 2 safe 1',
      'org_02 2027-01-31 key_02 GET /judge 2  1',
    ]);
  });

  test('the sessions of one user in two accounts count for each account', async () => {
    caller = SESSION;
    await get('/things/1');
    caller = { ...SESSION, id: 'ses_02', accountId: 'usr_01', organizationId: null };
    await get('/things/1');
    await get('/things/1');
    await counts.flush();
    expect(await stored()).toEqual([
      'org_01 2027-01-31 usr_01 GET /things/:id 2  1',
      'usr_01 2027-01-31 usr_01 GET /things/:id 2  2',
    ]);
  });

  test('a request counts on the day of its end, also when two days are written together', async () => {
    await get('/things/1');
    nowMs = Date.UTC(2027, 1, 1) + 5;
    await get('/things/1');
    await counts.flush();
    expect(await stored()).toEqual([
      'org_01 2027-01-31 key_01 GET /things/:id 2  1',
      'org_01 2027-02-01 key_01 GET /things/:id 2  1',
    ]);
  });

  test('while the table cannot be written the counts wait, and none is lost or doubled', async () => {
    await get('/things/1');
    await system.transaction(async (tx) => {
      await sql`lock table request_count in access exclusive mode`.execute(tx);
      await counts.flush();
      await get('/things/1');
      await counts.flush();
    });
    await get('/things/1');
    await counts.flush();
    await counts.flush();
    expect(await stored()).toEqual(['org_01 2027-01-31 key_01 GET /things/:id 2  3']);
  });

  test('a batch whose answer was lost is sent again and adds nothing; another writer adds', async () => {
    const row: CountRow = {
      accountId: 'org_01',
      callerId: 'key_01',
      day: '2027-01-31',
      route: 'GET /check',
      statusClass: 2,
      verdict: '',
      counted: 4,
    };
    for (const [writer, number] of [
      ['a', 1],
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['a', 1],
    ] as const)
      await addCounts(system.db, writer, { number, rows: [row] });
    expect(await stored()).toEqual(['org_01 2027-01-31 key_01 GET /check 2  12']);
  });
});

describe('GET /user/analytics', () => {
  test('200: every day of the period, endpoints by use, statuses, meters and verdicts', async () => {
    nowMs = NOON - 2 * 86_400_000;
    await get('/judge?level=high');
    nowMs = NOON - 40 * 86_400_000;
    await get('/things/1');
    nowMs = NOON;
    await get('/judge-many');
    await get('/judge-many');
    await get('/judge');
    await counts.flush();
    expect(await analytics('?days=3')).toEqual({
      period: { from: '2027-01-29', to: '2027-01-31' },
      requests: {
        total: 4,
        byDay: [
          { day: '2027-01-29', count: 1 },
          { day: '2027-01-30', count: 0 },
          { day: '2027-01-31', count: 3 },
        ],
        byEndpoint: [
          { endpoint: 'GET /judge', count: 2 },
          { endpoint: 'GET /judge-many', count: 2 },
        ],
        byStatus: { '2xx': 3, '4xx': 1 },
      },
      scans: { used: 1, limit: 1_000 },
      monthly: { used: 7, limit: 500 },
      verdicts: { high: 5, safe: 2 },
    });
    expect((await analytics()).requests.byDay).toHaveLength(30);
    const year = await analytics('?days=9999');
    expect(year.requests.byDay).toHaveLength(365);
    expect(year.requests.total).toBeGreaterThanOrEqual(5);
  });

  test.each(['0', '-1', '1.5', 'x', ''])('400 for days=%s', async (days) => {
    expect(await get(`/user/analytics?days=${days}`)).toBe(400);
  });

  test('another account sees none of it, and the role of requests cannot write a count', async () => {
    await get('/judge?level=high');
    await counts.flush();
    caller = OTHER;
    expect(await analytics()).toMatchObject({ requests: { total: 0, byEndpoint: [] }, verdicts: {} });
    const seen = await postgres.withAccount('org_02', (tx) => sql`select 1 from request_count`.execute(tx));
    expect(seen.rows).toEqual([]);
    await expect(
      postgres.withAccount('org_02', (tx) => sql`delete from request_count`.execute(tx)),
    ).rejects.toThrow('permission denied');
  });
});
