import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { periodOf } from '#domain/metering/period.ts';
import { systemClock } from '#platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { createTestMeter, type TestMeter, type TestMeterOptions } from '#test/meter.ts';
import { REDIS_URL, removeKeys, testPrefix } from '#test/redis.ts';
import { runOn } from '#test/redis-server.ts';

const prefix = testPrefix();
const month = periodOf(Date.now()).name;
let database: TestDatabase;
let meters: TestMeter;
let account = '';
let accounts = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await removeKeys(prefix);
  await database?.drop();
});
beforeEach(async () => {
  accounts += 1;
  account = `org_${accounts}`;
  meters = await start();
});
afterEach(() => meters.close());

const start = (more: Partial<TestMeterOptions> = {}) =>
  createTestMeter({ redisUrl: REDIS_URL, databaseUrl: database.url, prefix, ...more });
const spend = (units: number, from = meters) =>
  from.meter.spend({
    accountId: account,
    burstId: 'key',
    burstLimit: 10_000,
    meter: 'checks',
    units,
    monthLimit: 10_000,
  });
const inLedger = async () => (await meters.meter.readLedger(account, month)).checks.used;
const asOwner = async (text: string) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(text);
  await client.end();
};

describe('the ledger', () => {
  test('has a charge within about a second', async () => {
    await spend(3);
    const ms = await eventually('the charge is in the ledger', 2_500, async () => (await inLedger()) === 3);
    expectWithin(ms, 2_500);
  });

  test('has 100 units of one account well before the second is over', async () => {
    await spend(1);
    await meters.meter.flush();
    await spend(100);
    await eventually('the charge is in the ledger', 900, async () => (await inLedger()) === 101);
  });

  test('shows a refund', async () => {
    meters.meter.refund(await spend(5));
    await spend(2);
    await eventually('the refund is in the ledger', 3_000, async () => (await inLedger()) === 2);
  });

  test('is written later when a write fails, without losing values', async () => {
    await asOwner('revoke insert, update on usage_ledger from assay_system');
    await spend(7);
    await eventually('the flush fails', 3_000, () => meters.meter.status().ledger.isFailing);
    await spend(2);
    await asOwner('grant insert, update on usage_ledger to assay_system');
    await eventually('the flush succeeds', 3_000, async () => (await inLedger()) === 9);
    // The row is readable before the process that wrote it gets its reply.
    await eventually('the process knows', 1_000, () => !meters.meter.status().ledger.isFailing);
    expect(meters.meter.status().ledger.dirtyAccounts).toBe(0);
  });

  test('gets the charges of the last second when a process ends', async () => {
    const other = await start();
    await spend(4, other);
    await other.close();
    expect(await inLedger()).toBe(4);
  });

  test('has more than Redis after a seed without the ledger: the next calls raise Redis to its count', async () => {
    await spend(40);
    await meters.meter.flush();
    const key = `${prefix}:{${account}}:u:${month}`;
    await runOn(REDIS_URL, ['DEL', key]);
    await runOn(REDIS_URL, [
      'HSET',
      key,
      'incarnation',
      'seeded-by-somebody-who-knew-nothing',
      'checks',
      '2',
    ]);
    const other = await start();
    await spend(1, other);
    await other.meter.flush();
    await spend(1, other);
    expect((await spend(1, other)).used).toBeGreaterThanOrEqual(41);
    await other.close();
  });
});

describe('several processes', () => {
  test('count each other, and drop one that has exited', async () => {
    expect(meters.meter.shares).toBe(1);
    const others = [await start(), await start()];
    expect(others[1]?.meter.shares).toBe(3);
    await Promise.all(others.map((other) => other.close()));
    const next = await start();
    expect(next.meter.shares).toBe(2);
    await next.close();
  });
});

test('Q6: a process whose clock is in another month counts in the month of Redis', async () => {
  const ahead = await start({ clock: systemClock(40 * 86_400_000) });
  const answer = await spend(3, ahead);
  expect(answer).toMatchObject({ isLocal: false, used: 3, period: month });
  await sleep(0);
  await ahead.close();
  expect((await spend(1)).used).toBe(4);
});
