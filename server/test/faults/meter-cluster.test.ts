import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MeterAnswer } from '#capabilities/metering/index.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { createTestMeter, type TestMeter } from '#test/meter.ts';
import { startMeterProcesses, sumOf } from '#test/meter-processes.ts';
import { type RedisCluster, startRedisCluster } from '#test/redis-cluster.ts';

const GRACE_MS = 3_000;
const LOST_ROUNDS = 4;
/** The monotonic clock, moved by the test, so that the length of an outage does not depend on the machine. */
let outageMs = 0;
const clock: Clock = { now: systemClock().now, monotonic: () => outageMs };
/** Long, because a killed master closes its connections at once, and slow answers are not tested here. */
const TIMEOUT_MS = 10_000;
/** New accounts in each test, because the ledger keeps the old ones. */
let accounts: readonly string[] = [];

let database: TestDatabase;
let cluster: RedisCluster;
let meters: TestMeter;
let prefix = '';

beforeAll(async () => {
  [database, cluster] = await Promise.all([createTestDatabase(), startRedisCluster()]);
});
afterAll(async () => {
  await cluster?.stop();
  await database?.drop();
});
beforeEach(async () => {
  prefix = `cluster${Math.random().toString(36).slice(2, 8)}`;
  accounts = Array.from({ length: 30 }, (_, i) => `org_${prefix}${i}`);
  meters = await createTestMeter({
    redisUrl: cluster.url,
    databaseUrl: database.url,
    prefix,
    clock,
    timeoutMs: TIMEOUT_MS,
    graceMs: GRACE_MS,
    shares: 1,
  });
});
afterEach(() => meters.close());

const spend = (accountId: string, units = 1): Promise<MeterAnswer> =>
  meters.meter.spend({
    accountId,
    burstId: 'key',
    burstLimit: 1_000,
    meter: 'checks',
    units,
    monthLimit: 500,
  });
const masterOf = (accountId: string) => cluster.masterOf(`${prefix}:{${accountId}}:u:202611`);
const lostMaster = () => cluster.masters[0];
const onLost = () => accounts.filter((account) => masterOf(account) === lostMaster());
const onOthers = () => accounts.filter((account) => masterOf(account) !== lostMaster());

describe('a Redis Cluster of three masters', () => {
  test('counts every account on its own master, all keys of a call in one slot', async () => {
    const answers = await Promise.all(accounts.flatMap((account) => [spend(account), spend(account)]));
    expect(answers.every((answer) => !answer.isLocal && answer.outcome === 'granted')).toBe(true);
    expect(new Set(accounts.map(masterOf)).size).toBe(3);
    for (const account of accounts) expect((await spend(account)).used).toBe(3);
  });

  test('stays exact: 4 processes, 1,000 in flight, limit 1,000', async () => {
    const { reports } = await startMeterProcesses(4, {
      redisUrl: cluster.url,
      databaseUrl: database.url,
      prefix,
      timeoutMs: TIMEOUT_MS,
      accountId: 'org_exact',
      requests: 1_000,
      inFlight: 250,
      units: [1],
      monthLimit: 1_000,
      burstLimit: 1_000_000,
      pauseMs: 0,
      settleMs: 0,
    });
    const seen = await reports;
    expect(sumOf(seen, 'granted')).toBe(1_000);
    expect(sumOf(seen, 'local')).toBe(0);
  });

  test('a slot that moved to another master is followed', async () => {
    const account = 'org_moving';
    await spend(account, 5);
    const from = masterOf(account);
    const to = cluster.masters.find((master) => master !== from);
    const slot = String(await from.run('CLUSTER', 'KEYSLOT', `{${account}}`));
    const [fromId, toId] = [
      String(await from.run('CLUSTER', 'MYID')),
      String(await to?.run('CLUSTER', 'MYID')),
    ];
    const move = async (source: typeof from, target: typeof to, sourceId: string, targetId: string) => {
      await target?.run('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
      await source.run('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
      const keys = (await source.run('CLUSTER', 'GETKEYSINSLOT', slot, '100')) as string[];
      for (const key of keys)
        await source.run('MIGRATE', '127.0.0.1', String(target?.port), key, '0', '1000');
      // During the migration the old master answers ASK for keys that have moved.
      expect((await spend(account)).isLocal).toBe(false);
      await target?.run('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
      await source.run('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
    };
    await move(from, to, fromId, toId);
    expect(await spend(account)).toMatchObject({ isLocal: false, used: 7 });
    if (to !== undefined) await move(to, from, toId, fromId);
    expect(await spend(account)).toMatchObject({ isLocal: false, used: 9 });
  });

  test('one master lost: its accounts are counted locally for the grace period, the others are unaffected', async () => {
    for (const account of accounts) await spend(account);
    await lostMaster()?.kill();
    let local = 0;
    for (let round = 0; round < LOST_ROUNDS; round += 1) {
      for (const account of onOthers())
        expect(await spend(account)).toMatchObject({ isLocal: false, outcome: 'granted' });
      for (const account of onLost().slice(0, 3)) if ((await spend(account)).isLocal) local += 1;
      outageMs += GRACE_MS / LOST_ROUNDS;
    }
    expect(local).toBe(LOST_ROUNDS * Math.min(3, onLost().length));
    expect(meters.meter.status().mode).toBe('local');
    outageMs += GRACE_MS;
    await expect(spend(onLost()[0] ?? '')).rejects.toMatchObject({ status: 503 });
    expect(await spend(onOthers()[0] ?? '')).toMatchObject({ isLocal: false });
    await lostMaster()?.restart();
    await eventually('the lost master counts again', 15_000, async () => {
      const answers = await Promise.all(
        onLost().map((account) => spend(account, 0).then((answer) => !answer.isLocal)),
      );
      return answers.every(Boolean);
    });
    await eventually('nothing is owed', 5_000, () => meters.meter.status().owingAccounts === 0);
    expect(meters.meter.status().mode).toBe('shared');
    // The returned master was seeded with the usage that this process had seen, plus its local grants.
    const total = await Promise.all(onLost().map((account) => meters.meter.usageOf(account)));
    expect(total.reduce((sum, usage) => sum + usage.checks, 0)).toBe(onLost().length + local);
  });
});
