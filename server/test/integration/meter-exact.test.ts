import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize } from '#test/lane.ts';
import { createTestMeter } from '#test/meter.ts';
import { type ProcessPlan, startMeterProcesses, sumOf } from '#test/meter-processes.ts';
import { REDIS_URL, removeKeys, testPrefix } from '#test/redis.ts';

const PROCESSES = bySize(2, 4);
const IN_FLIGHT = bySize(100, 250);
const REQUESTS = bySize(400, 2_000);
const LIMIT = bySize(200, 1_000);
const prefix = testPrefix();
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await removeKeys(prefix);
  await database?.drop();
});

const planOf = (accountId: string, units: readonly number[]): ProcessPlan => ({
  redisUrl: REDIS_URL,
  databaseUrl: database.url,
  prefix,
  // The limit is exact as long as Redis answers, however busy the machine is.
  timeoutMs: 10_000,
  accountId,
  requests: REQUESTS,
  inFlight: IN_FLIGHT,
  units,
  monthLimit: LIMIT,
  burstLimit: 1_000_000,
  pauseMs: 0,
  settleMs: 0,
});

test(`Q1: ${PROCESSES} processes, ${IN_FLIGHT} in flight each, ${PROCESSES * REQUESTS} calls at a limit of ${LIMIT}: exactly ${LIMIT} are granted`, async () => {
  const { reports } = await startMeterProcesses(PROCESSES, planOf('org_exact', [1]));
  const seen = await reports;
  expect(sumOf(seen, 'granted')).toBe(LIMIT);
  expect(sumOf(seen, 'refused')).toBe(PROCESSES * REQUESTS - LIMIT);
  expect(sumOf(seen, 'local')).toBe(0);
});

test('Q1: with costs of 1 to 7 the granted units never pass the limit, and fill it', async () => {
  const { reports } = await startMeterProcesses(PROCESSES, planOf('org_bulk', [7, 1, 5, 2, 3]));
  const seen = await reports;
  expect(sumOf(seen, 'units')).toBe(LIMIT);
});

test('the ledger holds exactly what was granted once the processes have ended', async () => {
  const meters = await createTestMeter({ redisUrl: REDIS_URL, databaseUrl: database.url, prefix });
  const { period, checks } = await meters.meter.usageOf('org_exact');
  expect(checks).toBe(LIMIT);
  expect((await meters.meter.readLedger('org_exact', period.name)).checks.used).toBe(LIMIT);
  await meters.close();
});
