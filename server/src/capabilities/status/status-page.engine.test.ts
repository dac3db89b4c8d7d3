import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadiness } from '#platform/http/readiness.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { FRESH_CONTACT, testApp } from '#test/http-app.ts';
import { countResult, deleteOldDays, deleteOldResults, insertResult } from './canary/store.ts';
import { createNotice, endNotice } from './notices.ts';
import type { StatusPageDeps } from './report-status.ts';
import { statusRoutes } from './routes.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
let nowMs = Date.UTC(2027, 2, 10, 12, 0, 5);
const clock = { now: () => nowMs, monotonic: () => nowMs };
let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
});
afterAll(async () => {
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
});

const FRESHNESS = { overallStatus: 'fresh', fresh: 3, stale: 0, missing: 0, failing: 0 } as const;

function open(page: Partial<StatusPageDeps> = {}, isUp = true) {
  return testApp(
    statusRoutes({
      clock,
      database: async () => isUp && 'writable',
      redis: async () => true,
      replica: async () => true,
      contact: FRESH_CONTACT,
      readiness: createReadiness(),
      page: { postgres, freshness: async () => FRESHNESS, evidenceRoots: null, ...page },
    }),
  );
}

const sing = (probe: string, ms: number | null, atMs = nowMs) =>
  system.transaction(async (tx) => {
    if (await insertResult(tx, { probe, ms }, atMs)) await countResult(tx, { probe, ms }, atMs);
  });

test('without a canary, notices or evidence the page says so', async () => {
  const answer = await open().inject('/platform/status');
  expect(answer.json()).toEqual({
    generatedAt: expect.any(String),
    status: 'operational',
    services: { api: 'operational', database: 'operational', redis: 'operational' },
    freshness: FRESHNESS,
    notices: [],
    canary: [],
  });
  expect(answer.headers['cache-control']).toBe('public, max-age=10');
});

test('the canary: p50 and p99 of a day, the share of 30 days; a second run of a minute counts nothing', async () => {
  for (let minute = 1; minute <= 100; minute += 1) await sing('check', minute, nowMs - minute * MINUTE_MS);
  await sing('check', null);
  await sing('check', 5);
  for (let day = 1; day <= 40; day += 1) await sing('check', day === 20 ? null : 9, nowMs - day * DAY_MS);
  await sing('taxii', 12, nowMs - 6 * MINUTE_MS);
  const { canary } = (await open().inject('/platform/status')).json();
  expect(canary).toEqual([
    {
      id: 'check',
      status: 'failing',
      lastAt: '2027-03-10T12:00:00.000Z',
      p50Ms: 50,
      p99Ms: 99,
      // The result of exactly a day ago has left the window.
      samples: 101,
      share30d: 0.98473,
    },
    expect.objectContaining({ id: 'taxii', status: 'silent', share30d: 1 }),
  ]);
});

test('old results and days are forgotten', async () => {
  await system.transaction((tx) => deleteOldResults(tx, nowMs - 25 * 60 * MINUTE_MS));
  await system.transaction((tx) => deleteOldDays(tx, nowMs - 31 * DAY_MS));
  const { rows } = await sql<{ results: number; days: number }>`
    select (select count(*)::int from canary_result) as results, (select count(*)::int from canary_day) as days`.execute(
    system.db,
  );
  expect(rows[0]).toEqual({ results: 103, days: 33 });
});

test('a notice is shown until a week after its end, in the words of the operator', async () => {
  const made = await createNotice({ system, clock }, 'ann', {
    severity: 'maintenance',
    title: 'Upgrade',
    body: 'Checks go on.',
    startsAtMs: nowMs + DAY_MS,
    endsAtMs: null,
  });
  const noticesNow = async () => (await open().inject('/platform/status')).json().notices;
  expect(await noticesNow()).toEqual([
    {
      id: made.id,
      severity: 'maintenance',
      title: 'Upgrade',
      body: 'Checks go on.',
      startsAt: '2027-03-11T12:00:05.000Z',
      endsAt: null,
    },
  ]);
  nowMs += 2 * DAY_MS;
  await endNotice({ system, clock }, made.id);
  nowMs += 6 * DAY_MS;
  expect(await noticesNow()).toHaveLength(1);
  nowMs += 2 * DAY_MS;
  expect(await noticesNow()).toEqual([]);
});

test('the roots of evidence are handed in; a part that fails is null and the page is still 200', async () => {
  const root = { day: '2027-03-09', root: 'ab'.repeat(32), accounts: 2 };
  const broken = () => Promise.reject(new Error('away'));
  const page = open({ freshness: broken, evidenceRoots: async () => [root] }, false);
  const answer = await page.inject('/platform/status');
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    expect.objectContaining({ status: 'down', freshness: null, evidenceRoots: [root] }),
  ]);
});
