import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statisticsDeps } from '#app/statistics.ts';
import { refreshStatistics } from '#capabilities/analytics/index.ts';
import { systemClock } from '#platform/clock.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { loadList } from '#test/load-list.ts';
import { type Service, startService } from '#test/service.ts';

/** Noon of yesterday: no day ends between the first list and the count. */
let atMs = (Math.floor(Date.now() / 86_400_000) - 0.5) * 86_400_000;
const clock = { ...systemClock(), now: () => (atMs += 1_000) };
const PUBLIC_PER_MINUTE = 60;

let database: TestDatabase;
let service: Service;
let system: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  service = await startService({
    databaseUrl: database.url,
    // Long, because a process counts alone while Redis is late, which would raise the limit.
    env: { PUBLIC_PER_MINUTE: String(PUBLIC_PER_MINUTE), REDIS_TIMEOUT_MS: '5000' },
  });
  const lists = [
    ['names', ['a.example.com', 'b.example.com', '203.0.114.9'], {}],
    ['addresses', ['203.0.114.9', '203.0.115.0/24', 'http://a.example.com/x'], { category: 'c2' }],
    ['ads', ['ads.example.com'], { adOnly: true }],
    ['cloud', ['203.0.116.0/24'], { threatClass: 'infrastructure' }],
  ] as const;
  for (const [id, lines, settings] of lists)
    await loadList({ system, clock }, id, lines, { dataAtMs: clock.now(), settings });
  const more = ['a.example.com', 'c.example.com', 'd.example.com', '203.0.114.9'];
  await loadList({ system, clock }, 'names', more, { dataAtMs: clock.now() });
  await refreshStatistics({ ...statisticsDeps(clock), transaction: system.transaction });
}, 600_000);
afterAll(async () => {
  await system?.close();
  await service?.stop();
  await database?.drop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers });

describe('GET /stats (contract 2.12 and 4.1)', () => {
  test('200 for any caller: the fields of the contract, with the number of indicators, the number of sources and the age of the data', async () => {
    const answer = await get('/stats');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      totalThreats: 6,
      byType: { domains: 3, ips: 2 },
      recentActivity: { last24h: 2, last7d: 2, growthRate: 0 },
      indicators: 8,
      sourceCount: 4,
      freshSourceCount: 4,
      newestDataAt: expect.stringMatching(/^20\d\d-/) as unknown,
      accusedExample: null,
    });
  });

  test('caches may keep it for five minutes, pages of other origins may read it, and 304 answers a client that has it', async () => {
    const answer = await get('/stats', { Origin: 'https://elsewhere.example.net' });
    expect(answer.headers.get('cache-control')).toContain('public, max-age=300');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const again = await get('/api/stats', { 'If-None-Match': answer.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('GET /analytics (decisions 3.15)', () => {
  test('all seven slices without a metric', async () => {
    const body = (await (await get('/analytics')).json()) as Record<string, unknown[]>;
    expect(body).toMatchObject({
      threatOverview: {
        totalThreats: 6,
        byType: { ip: 2, domain: 3, url: 1, hash: 0 },
        added24h: 2,
        removed24h: 1,
      },
      categoryBreakdown: [
        { category: 'malicious-activity', count: 4, share: 0.6667 },
        { category: 'c2', count: 3, share: 0.5 },
      ],
      topSources: [
        { id: 'names', name: 'names', count: 4 },
        { id: 'addresses', count: 3 },
      ],
      geoThreatMap: [],
      vulnerabilityPatterns: { bySeverity: {}, kev: null, activeExploit: null, loaded: false, topCwes: [] },
    });
    expect(body.threatTimeline).toHaveLength(30);
    expect(body.threatTimeline?.at(-1)).toMatchObject({ added: 2, removed: 1 });
  });

  test('one slice under its name; 400 for a metric that does not exist', async () => {
    const { threatDistribution } = (await (await get('/analytics?metric=threatDistribution')).json()) as {
      threatDistribution: { level: string; count: number }[];
    };
    expect(threatDistribution.map(({ level }) => level)).toEqual([
      'critical',
      'high',
      'medium',
      'low',
      'inconclusive',
      'safe',
    ]);
    expect(threatDistribution.reduce((sum, { count }) => sum + count, 0)).toBe(6);
    expect(await (await get('/analytics?metric=geoThreatMap')).json()).toEqual({ geoThreatMap: [] });
    const wrong = await get('/analytics?metric=threatMap');
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ error: 'Bad Request', details: [{ path: 'metric' }] });
  });
});

test('429 for an address over the limit of a public route; another public route still answers', async () => {
  const statuses: number[] = [];
  for (let i = 0; i <= PUBLIC_PER_MINUTE; i += 1) statuses.push((await get('/stats')).status);
  expect(statuses).toContain(429);
  expect((await get('/health')).status).toBe(200);
  const refused = await get('/stats');
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: 'Rate Limited', plan: 'ANONYMOUS' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});
