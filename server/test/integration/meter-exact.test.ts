import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { createTestMeter } from '#test/meter.ts';
import { type ProcessPlan, startMeterProcesses, sumOf } from '#test/meter-processes.ts';
import { REDIS_URL, removeKeys, testPrefix } from '#test/redis.ts';

const PROCESSES = 4;
const LIMIT = 1_000;
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
  accountId,
  requests: 2_000,
  inFlight: 250,
  units,
  monthLimit: LIMIT,
  burstLimit: 1_000_000,
  pauseMs: 0,
  settleMs: 0,
});

test('Q1: 4 processes, 250 in flight each, 8,000 calls at a limit of 1,000: exactly 1,000 are granted', async () => {
  const { reports } = await startMeterProcesses(PROCESSES, planOf('org_exact', [1]));
  const seen = await reports;
  expect(sumOf(seen, 'granted')).toBe(LIMIT);
  expect(sumOf(seen, 'refused')).toBe(7_000);
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
