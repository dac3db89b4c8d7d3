import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorker } from '#app/build-worker.ts';
import { statisticsDeps } from '#app/statistics.ts';
import { analyticsWorkerPart } from '#capabilities/analytics/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { enqueue } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { connectRedis } from '#platform/redis.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { loadList } from '#test/load-list.ts';
import { removeKeys } from '#test/redis.ts';

const clock = systemClock();
const log = createLog('silent');
const prefix = `test-${randomBytes(5).toString('hex')}`;

let database: TestDatabase;
let system: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
});
afterAll(async () => {
  await system?.close();
  await database?.drop();
  await removeKeys(prefix);
});

test('the worker counts a loaded list for both statistics, in one transaction under its lease', async () => {
  await loadList({ system, clock }, 'names', ['a.example.com', 'b.example.com'], { dataAtMs: clock.now() });
  const config = loadConfig({ ASSAY_ENV: 'test', DATABASE_URL: database.url, REDIS_PREFIX: prefix });
  const redis = await connectRedis({ config, log, clock });
  const parts = [analyticsWorkerPart(statisticsDeps(clock))];
  const worker = buildWorker({ config, log, clock, redis, parts, onLeaseLost: () => undefined });
  try {
    await enqueue(system.db, 'analytics.refresh', {});
    const rows = async () =>
      (
        await sql<{ name: string; at: Date; seq: string; total: string | null }>`
          select name, computed_at as at, seq, coalesce(value ->> 'totalIndicators', value -> 'stats' ->> 'totalThreats',
                 value ->> 'indicators') as total
            from corpus_statistic order by name`.execute(system.db)
      ).rows;
    await eventually('the statistics are there', 20_000, async () => (await rows()).length > 0);
    const found = await rows();
    expect(found.map(({ name, total }) => [name, total])).toEqual([
      ['accused', null],
      ['activity', null],
      ['corpus', '2'],
      ['levels-3', null],
      ['sources', '2'],
      ['threats', '2'],
    ]);
    expect(new Set(found.map(({ at, seq }) => `${at.toISOString()} ${seq}`)).size).toBe(1);
  } finally {
    await worker.stop();
    redis.close();
  }
});
