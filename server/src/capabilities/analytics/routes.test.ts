import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KIND, registerSource, type SourceSettings } from '#capabilities/corpus/index.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { testApp } from '#test/http-app.ts';
import { Analytics, METRICS, PublicStats } from './contract.ts';
import { analyticsWorkerPart } from './jobs.ts';
import { refreshStatistics } from './refresh-statistics.ts';
import { analyticsRoutes } from './routes.ts';

const NOW_MS = Date.UTC(2027, 0, 31, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let app: FastifyInstance;
const at = { ms: NOW_MS, monotonicMs: 0 };
const clock = { now: () => at.ms, monotonic: () => at.monotonicMs };
const refresh = (maxAgeMs = 0) => refreshStatistics({ clock, transaction: system.transaction }, { maxAgeMs });

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers });
const stats = async () => PublicStats.parse((await get('/stats')).json());
const analytics = async () => Analytics.parse((await get('/analytics')).json());

function restart(): void {
  app = testApp(analyticsRoutes({ clock, postgres }));
}

async function source(id: string, settings: SourceSettings = {}): Promise<number> {
  return (await registerSource({ system, clock }, id, { name: id, ...settings })).number;
}

/** Writes directly to the tables, because ingestion is not tested here. */
async function list(sourceNumber: number, kind: number, values: readonly number[]): Promise<void> {
  await sql`
    insert into listing (key, source_number, listed_from, first_seen)
    select set_byte('\\x0000'::bytea, 0, ${kind}) || int4send(value), ${sourceNumber}, now(), now()
      from unnest(${values}::int[]) as value`.execute(system.db);
  await sql`
    update source set entries = (select count(*) from listing where source_number = number)
     where number = ${sourceNumber}`.execute(system.db);
}

/** Listings that began then: dated by their source (0), first sighted (1), or undated (2). */
async function began(
  sourceNumber: number,
  agoMs: number,
  keys: readonly number[],
  datedBy = 0,
): Promise<void> {
  await sql`
    insert into listing (key, source_number, listed_from, first_seen, dated_by)
    select set_byte('\\x0000'::bytea, 0, ${KIND.domain}) || int4send(value), ${sourceNumber}, now(),
           to_timestamp(${(NOW_MS - agoMs) / 1000}::float8), ${datedBy}
      from unnest(${keys}::int[]) as value`.execute(system.db);
}

/** What was listed since `agoMs` and has left. */
async function left(sourceNumber: number, agoMs: number, keys: readonly number[]): Promise<void> {
  await sql`
    insert into listing_past (key, source_number, listed_from, listed_to, first_seen, dated_by)
    select set_byte('\\x0000'::bytea, 0, ${KIND.domain}) || int4send(value), ${sourceNumber},
           to_timestamp(${(NOW_MS - agoMs) / 1000}::float8), to_timestamp(${(NOW_MS - HOUR_MS) / 1000}::float8),
           to_timestamp(${(NOW_MS - agoMs) / 1000}::float8), 1
      from unnest(${keys}::int[]) as value`.execute(system.db);
}

async function fetched(sourceNumber: number, agoMs: number, added: number, removed = 0): Promise<void> {
  await sql`
    insert into source_fetch (source_number, fetched_at, data_at, entries, added, removed, changed, duplicates, rejected)
    values (${sourceNumber}, to_timestamp(${(NOW_MS - agoMs) / 1000}::float8), now(), 0, ${added}, ${removed}, 0, 0, 0)`.execute(
    system.db,
  );
}

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

beforeEach(async () => {
  await sql`delete from corpus_statistic`.execute(system.db);
  await sql`delete from listing`.execute(system.db);
  await sql`delete from listing_past`.execute(system.db);
  await sql`delete from source_fetch`.execute(system.db);
  await sql`delete from source`.execute(system.db);
  Object.assign(at, { ms: NOW_MS, monotonicMs: 0 });
  restart();
});

describe('before the first count', () => {
  test('an empty corpus answers zeros in every slice', async () => {
    expect(await stats()).toEqual({
      totalThreats: 0,
      byType: { domains: 0, ips: 0 },
      recentActivity: { last24h: 0, last7d: 0, growthRate: 0 },
      indicators: 0,
      sourceCount: 0,
      freshSourceCount: 0,
      newestDataAt: null,
      accusedExample: null,
    });
    const all = await analytics();
    expect(Object.keys(all)).toEqual(METRICS);
    expect(all.threatTimeline).toHaveLength(30);
    expect(all.vulnerabilityPatterns).toEqual({
      bySeverity: {},
      kev: null,
      activeExploit: null,
      loaded: false,
      topCwes: [],
    });
  });

  test('a loaded corpus answers 503 with Retry-After, and the figures as soon as they are there', async () => {
    await list(await source('urls'), KIND.url, [1]);
    for (const path of ['/stats', '/analytics']) {
      const answer = await get(path);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
      expect(answer.json()).toMatchObject({ error: 'Service unavailable', retryAfter: 60 });
    }
    await refresh();
    expect((await stats()).totalThreats).toBe(1);
    expect(Object.keys((await get('/stats')).json())).toEqual([
      'totalThreats',
      'byType',
      'recentActivity',
      'indicators',
      'sourceCount',
      'freshSourceCount',
      'newestDataAt',
      'accusedExample',
    ]);
  });

  test('a row that another version wrote is not served', async () => {
    await list(await source('urls'), KIND.url, [1]);
    await refresh();
    await sql`update corpus_statistic set value = value #- '{stats,byType,ips}' where name = 'threats'`.execute(
      system.db,
    );
    expect((await get('/stats')).statusCode).toBe(503);
  });
});

describe('figures', () => {
  test('threats are distinct, of enabled threat sources, without advertising lists', async () => {
    const [first, second] = [
      await source('one', { category: 'c2' }),
      await source('two', { category: 'spam' }),
    ];
    const off = await source('off', { enabled: false });
    const ads = await source('ads', { adOnly: true });
    const cloud = await source('cloud', { threatClass: 'infrastructure' });
    await list(first, KIND.ipv4, [1, 2]);
    await list(second, KIND.ipv4, [2, 3]);
    await list(second, KIND.cidr6, [4]);
    await list(first, KIND.domain, [5]);
    await list(first, KIND.sha1, [6]);
    await list(first, KIND.email, [7]);
    for (const other of [off, ads, cloud]) await list(other, KIND.domain, [5, 80, 81]);
    await refresh();
    expect(await stats()).toMatchObject({ totalThreats: 7, byType: { domains: 1, ips: 4 } });
    expect(await analytics()).toMatchObject({
      threatOverview: { totalThreats: 7, byType: { ip: 4, domain: 1, url: 0, hash: 1 } },
      categoryBreakdown: [
        { category: 'c2', count: 5, share: 0.7143 },
        { category: 'spam', count: 3, share: 0.4286 },
      ],
      topSources: [
        { id: 'one', count: 5 },
        { id: 'two', count: 3 },
      ],
      geoThreatMap: [],
    });
    // Seven threats in total; the scoring tests cover which level each has.
    const { threatDistribution } = await analytics();
    expect(threatDistribution?.map(({ level }) => level)).toEqual([
      'critical',
      'high',
      'medium',
      'low',
      'inconclusive',
      'safe',
    ]);
    expect(threatDistribution?.reduce((sum, { count }) => sum + count, 0)).toBe(7);
  });

  test('activity is counted by the dates of the sources, at once after a first load, and by days of our own reading', async () => {
    const [dated, sighted] = [await source('dated'), await source('sighted')];
    // One load of an hour ago brought all of it.
    await fetched(dated, HOUR_MS, 500_000);
    await began(dated, 20 * DAY_MS, [1, 2, 3]);
    await began(dated, 10 * DAY_MS, [4, 5]);
    await began(dated, 2 * DAY_MS, [6, 7]);
    await began(dated, 3 * HOUR_MS, [8]);
    await began(sighted, 2 * HOUR_MS, [1, 9], 1);
    await began(sighted, 2 * HOUR_MS, [10, 11, 12, 13], 2);
    await left(sighted, 3 * DAY_MS, [20]);
    // It left and came back: one listing, which began when it came back.
    await left(sighted, 5 * DAY_MS, [9]);
    await refresh();
    expect((await stats()).recentActivity).toEqual({ last24h: 3, last7d: 6, growthRate: 200 });
    const { threatOverview, threatTimeline } = await analytics();
    expect(threatOverview).toMatchObject({ added24h: 3, removed24h: 0 });
    expect(threatTimeline?.filter(({ added, removed }) => added + removed > 0)).toEqual([
      { day: '2027-01-11', added: 3, removed: 0 },
      { day: '2027-01-21', added: 2, removed: 0 },
      { day: '2027-01-28', added: 1, removed: 0 },
      { day: '2027-01-29', added: 2, removed: 0 },
      { day: '2027-01-31', added: 3, removed: 0 },
    ]);
  });

  test('activity leaves out entries without a date, other classes and what lies in the future', async () => {
    const [busy, fresh] = [await source('busy'), await source('fresh')];
    const cloud = await source('cloud', { threatClass: 'infrastructure' });
    await fetched(busy, 2 * DAY_MS, 5, 3);
    await fetched(busy, HOUR_MS, 1, 2);
    await fetched(busy, -HOUR_MS, 64, 64);
    await fetched(cloud, HOUR_MS, 32, 32);
    await began(busy, 10 * DAY_MS, [1, 2, 3, 4]);
    await began(busy, 2 * DAY_MS, [5, 6, 7, 8, 9]);
    await began(busy, HOUR_MS, [10]);
    await began(busy, -2 * HOUR_MS, [11, 12]);
    await began(fresh, HOUR_MS, [20, 21, 22, 23], 2);
    await began(cloud, HOUR_MS, [30, 31]);
    await refresh();
    expect((await stats()).recentActivity).toEqual({ last24h: 1, last7d: 6, growthRate: 50 });
    const { threatOverview, threatTimeline } = await analytics();
    expect(threatOverview).toMatchObject({ added24h: 1, removed24h: 2 });
    expect(threatTimeline?.filter(({ added, removed }) => added + removed > 0)).toEqual([
      { day: '2027-01-21', added: 4, removed: 0 },
      { day: '2027-01-29', added: 5, removed: 3 },
      { day: '2027-01-31', added: 1, removed: 2 },
    ]);
    expect(threatTimeline?.at(-1)?.day).toBe('2027-01-31');
  });
});

describe('GET /analytics', () => {
  test.each(METRICS)('metric=%s gives only that slice, under its name', async (metric) => {
    expect(Object.keys((await get(`/analytics?metric=${metric}`)).json())).toEqual([metric]);
  });

  test.each(['', 'threats', 'THREATOVERVIEW'])(
    "400: metric='%s' is unknown, and the message lists the metrics",
    async (metric) => {
      const answer = await get(`/analytics?metric=${metric}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'Bad Request', details: [{ path: 'metric' }] });
      expect(answer.json().message).toContain('threatOverview');
    },
  );
});

describe('caches', () => {
  test('a strong ETag, five minutes in public caches, and 304 without a body for a matching tag', async () => {
    for (const path of ['/stats', '/analytics', '/analytics?metric=topSources']) {
      const first = await get(path);
      expect(first.headers['cache-control']).toContain('public, max-age=300');
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      const again = await get(path, { 'if-none-match': etag });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
      expect((await get(path, { 'if-none-match': '"other"' })).statusCode).toBe(200);
    }
  });

  test('read once a minute; while PostgreSQL is down the last figures are served, and a new process answers 503', async () => {
    const number = await source('urls');
    await list(number, KIND.url, [1]);
    await refresh();
    expect((await stats()).totalThreats).toBe(1);
    await list(number, KIND.url, [2]);
    await source('urls', { name: 'changed' });
    await refresh();
    expect((await stats()).totalThreats).toBe(1);
    at.monotonicMs += 60_000;
    expect((await stats()).totalThreats).toBe(2);
    const away = connectPostgres(
      { DATABASE_URL: 'postgres://127.0.0.1:1/none', POSTGRES_POOL_MAX: 1 },
      'assay_app',
    );
    const broken = { ...postgres, db: postgres.db };
    app = testApp(analyticsRoutes({ clock, postgres: broken }));
    expect((await stats()).totalThreats).toBe(2);
    Object.assign(broken, { db: away.db });
    at.monotonicMs += 60_000;
    expect((await stats()).totalThreats).toBe(2);
    app = testApp(analyticsRoutes({ clock, postgres: broken }));
    expect((await get('/stats')).statusCode).toBe(503);
    await away.close();
  });
});

describe('refreshing', () => {
  test('the full count runs only when the change log has moved; the timeline moves without it', async () => {
    const number = await source('urls');
    await list(number, KIND.url, [1]);
    await began(number, 22 * HOUR_MS, [5, 6]);
    expect(await refresh()).toEqual({ outcome: 'computed', recounted: true });
    expect((await stats()).recentActivity.last24h).toBe(2);
    at.ms += 2 * HOUR_MS;
    expect(await refresh()).toEqual({ outcome: 'computed', recounted: false });
    restart();
    expect((await stats()).recentActivity.last24h).toBe(0);
    await source('urls', { enabled: false });
    expect(await refresh()).toEqual({ outcome: 'computed', recounted: true });
    restart();
    expect((await stats()).totalThreats).toBe(0);
  });

  test('one at a time: a second refresh returns at once, unless it waits', async () => {
    const held = Promise.withResolvers<void>();
    const counted = Promise.withResolvers<void>();
    const first = refreshStatistics({
      clock,
      transaction: system.transaction,
      onCounted: () => {
        counted.resolve();
        return held.promise;
      },
    });
    await counted.promise;
    expect((await refresh()).outcome).toBe('busy');
    const waiting = refreshStatistics({ clock, transaction: system.transaction }, { wait: true });
    held.resolve();
    expect([(await first).outcome, (await waiting).outcome]).toEqual(['computed', 'computed']);
  });

  test('the job recomputes figures that are five minutes old, and no younger ones', async () => {
    const [job] = analyticsWorkerPart({ clock }).jobs;
    const lines: unknown[] = [];
    const log = { info: (fields: unknown) => lines.push(fields) };
    const run = () => job?.run({ transaction: system.transaction, log } as never, {} as never);
    await run();
    expect(lines).toHaveLength(1);
    at.ms += 4 * 60_000;
    await run();
    expect(lines).toHaveLength(1);
    at.ms += 60_000;
    await run();
    expect(lines).toHaveLength(2);
  });
});

test('the accused example is an address that the most sources list, and appears with the count of levels', async () => {
  const strong: SourceSettings = {
    letter: 'A',
    reliability: 0.95,
    fpRisk: 'low',
    category: 'c2',
    redistributable: true,
  };
  const numbers = [await source('first', strong), await source('second', strong)];
  await sql`update source set data_at = to_timestamp(${NOW_MS / 1000}::float8)`.execute(system.db);
  const [first, second] = numbers as [number, number];
  await sql`
    insert into listing (key, source_number, listed_from, first_seen)
    select decode(key, 'hex'), number, now(), now()
      from (values ('0109000001', ${first}::int), ('0109000002', ${first}::int), ('0109000002', ${second}::int)) as each (key, number)`.execute(
    system.db,
  );
  await sql`update source set entries = 2`.execute(system.db);
  await refresh();
  expect((await stats()).accusedExample).toEqual({ value: '9.0.0.2', sourceCount: 2 });
});
