import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { sleep } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { createTestMeter } from '#test/meter.ts';
import { startMeterProcesses, sumOf } from '#test/meter-processes.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';

const PROCESSES = 4;
const IN_FLIGHT = 20;
const LIMIT = 3_000;

let database: TestDatabase;
let server: RedisServer;

beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase(), startRedisServer()]);
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

test('Q2: Redis killed and restarted empty while 4 processes charge: over-granted by at most 1 % or the units in flight', async () => {
  const common = { redisUrl: server.url, databaseUrl: database.url, prefix: 'loss' };
  const { reports } = await startMeterProcesses(PROCESSES, {
    ...common,
    // Long, because a killed Redis closes its connections at once, and slow answers are not tested here.
    timeoutMs: bySize(5_000, 50),
    accountId: 'org_loss',
    requests: 1_000_000,
    inFlight: IN_FLIGHT,
    refusedMax: 50,
    units: [1],
    monthLimit: LIMIT,
    burstLimit: 1_000_000,
    pauseMs: 100,
    settleMs: 2_500,
  });
  await sleep(1_200);
  await server.kill();
  await sleep(700);
  await server.restart();
  const seen = await reports;
  const granted = sumOf(seen, 'granted');
  const allowance = Math.max(LIMIT / 100, PROCESSES * IN_FLIGHT);
  expect(sumOf(seen, 'local')).toBeGreaterThan(0);
  expect(sumOf(seen, 'refused')).toBeGreaterThan(0);
  expect(granted).toBeLessThanOrEqual(LIMIT + allowance);
  expect(granted).toBeGreaterThanOrEqual(LIMIT - allowance);
  const after = await createTestMeter(common);
  const { checks } = await after.meter.usageOf('org_loss');
  await after.close();
  expect(checks).toBeGreaterThanOrEqual(LIMIT);
  expect(checks).toBeLessThanOrEqual(LIMIT + allowance);
});
