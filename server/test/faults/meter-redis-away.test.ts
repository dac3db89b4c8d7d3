import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MeterAnswer, MeterAsk } from '#capabilities/metering/index.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { createTestMeter, type TestMeter, type TestMeterOptions } from '#test/meter.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';
import { withoutTimeouts } from '#test/without-timeouts.ts';

/** The default is 50 ms, which a healthy Redis exceeds on a busy machine. */
const TIMEOUT_MS = bySize(300, 50);
/** Shorter than the 3 s after which the client gives up the connection, and the late replies with it. */
const PAUSED_MS = bySize(2_000, 1_000);
const GRACE_MS = 3_000;
/** An outage lasts as long as the test says, however slow the machine is. */
let outageMs = 0;
const clock: Clock = { now: systemClock().now, monotonic: () => outageMs };

let database: TestDatabase;
let server: RedisServer;
let meters: TestMeter;
let runs = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  runs += 1;
  server = await startRedisServer();
  meters = await start();
});
afterEach(async () => {
  server.thaw();
  await meters.close();
  await server.stop();
});

const start = (more: Partial<TestMeterOptions> = {}) =>
  createTestMeter({
    redisUrl: server.url,
    databaseUrl: database.url,
    prefix: 'away',
    clock,
    timeoutMs: TIMEOUT_MS,
    graceMs: GRACE_MS,
    shares: 2,
    ...more,
  });
const askOf = (more: Partial<MeterAsk> = {}): MeterAsk => ({
  accountId: `org_${runs}`,
  burstId: 'key',
  burstLimit: 1_000,
  meter: 'checks',
  units: 1,
  monthLimit: 100,
  ...more,
});
const spend = (more: Partial<MeterAsk> = {}, from = meters): Promise<MeterAnswer> =>
  from.meter.spend(askOf(more));
const timed = async <T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> => {
  const startedMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedMs };
};
const usedInRedis = async () => (await meters.meter.usageOf(`org_${runs}`)).checks;
const isShared = async () => !(await spend({ units: 0 })).isLocal;

describe('trap 64: Redis suspended with open connections', () => {
  test(`delays one call by about ${TIMEOUT_MS + 10} ms, then none: the breaker opens and local counters answer`, async () => {
    expect((await spend()).isLocal).toBe(false);
    server.freeze();
    const first = await timed(() => spend());
    expect(first.value).toMatchObject({ outcome: 'granted', isLocal: true, used: 2 });
    // The deadline is counted in five ticks, and the first one may have begun during the call before.
    expect(first.ms).toBeGreaterThan(0.8 * TIMEOUT_MS - 5);
    expectWithin(first.ms, TIMEOUT_MS + 40);
    await eventually('the breaker is open', 1_000, () => !meters.redis.status().isUp);
    const later = await timed(() => Promise.all(Array.from({ length: 20 }, () => spend())));
    expect(later.value.every((answer) => answer.isLocal && answer.outcome === 'granted')).toBe(true);
    expectWithin(later.ms, 40);
    expect(meters.meter.status()).toMatchObject({ mode: 'local', shares: 2 });
  });

  test('every unit granted meanwhile is in the counters once afterwards, late replies included', async () => {
    await spend({ units: 10 });
    server.freeze();
    await Promise.all(Array.from({ length: 15 }, () => spend()));
    await eventually('the breaker is open', 1_000, () => !meters.redis.status().isUp);
    for (let i = 0; i < 5; i += 1) await spend();
    server.thaw();
    await eventually('the shared counters answer', 5_000, isShared);
    await eventually('nothing is owed', 5_000, () => meters.meter.status().owingAccounts === 0);
    expect(await usedInRedis()).toBe(30);
    expect(meters.meter.status().mode).toBe('shared');
  });

  test('a process grants its share of the remaining units and then answers 503, not 429', async () => {
    await spend({ units: 60 });
    server.freeze();
    const answers = await Promise.allSettled(Array.from({ length: 30 }, () => spend()));
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(20);
    const refused = answers.find((answer) => answer.status === 'rejected')?.reason as ServiceError;
    expect(refused).toMatchObject({ code: 'Service unavailable' });
    expect((await spend({ units: 41 })).outcome).toBe('month');
  });

  test('after the grace period units are refused with 503, while bursts and public routes still work', async () => {
    await spend();
    server.freeze();
    await spend();
    outageMs += GRACE_MS + 200;
    const refused = await spend().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused).toMatchObject({ status: 503, options: { headers: { 'Retry-After': '5' } } });
    expect((await spend({ meter: null })).outcome).toBe('granted');
    expect((await spend({ units: 0 })).outcome).toBe('granted');
    expect(meters.meter.status().mode).toBe('closed');
    server.thaw();
    await eventually('units are granted again', 5_000, () =>
      spend().then(
        () => true,
        () => false,
      ),
    );
  });

  test('the burst keeps its share: half of it with two processes', async () => {
    server.freeze();
    await spend({ meter: null, burstLimit: 20 });
    const more = await Promise.all(Array.from({ length: 19 }, () => spend({ meter: null, burstLimit: 20 })));
    expect(more.filter((answer) => answer.outcome === 'granted')).toHaveLength(9);
  });

  test(`a slow Redis (paused for ${PAUSED_MS / 1_000} s) is handled like a suspended one`, async () => {
    await spend();
    await server.run('CLIENT', 'PAUSE', String(PAUSED_MS), 'ALL');
    const paused = await timed(() => spend());
    expect(paused.value.isLocal).toBe(true);
    expectWithin(paused.ms, TIMEOUT_MS + 40);
    await eventually('the shared counters answer', PAUSED_MS + 4_000, isShared);
    await eventually('nothing is owed', 4_000, () => meters.meter.status().owingAccounts === 0);
    expect(await usedInRedis()).toBe(2);
  });
});

describe('Redis lost', () => {
  test('killed: the next call answers at once from local counters', async () => {
    await spend();
    await server.kill();
    await eventually('the connection is known to be lost', 1_000, () => !meters.redis.status().isUp);
    const answer = await timed(() => spend());
    expect(answer.value).toMatchObject({ isLocal: true, outcome: 'granted' });
    expectWithin(answer.ms, 20);
  });

  test('restarted empty: the functions are loaded again and the month continues at its last count', async () => {
    await spend({ units: 30 });
    await server.kill();
    await server.restart();
    await eventually('the shared counters answer', 5_000, isShared);
    const answer = await spend();
    expect(answer).toMatchObject({ isLocal: false, used: 31 });
  });

  test('restarted empty, and a process that has not seen the account: it starts from the ledger', async () => {
    await spend({ units: 30 });
    await meters.meter.flush();
    await server.kill();
    await server.restart();
    const other = await start();
    expect((await withoutTimeouts(() => spend({}, other))).used).toBe(31);
    await other.close();
  });

  test('evicted: a single evicted month is seeded again', async () => {
    await spend({ units: 30 });
    await server.run('FLUSHDB');
    expect((await spend()).used).toBe(31);
  });

  test('a loss of Redis does not undo a refund', async () => {
    const charged = await spend({ units: 30 });
    meters.meter.refund(charged);
    await eventually('the refund is counted', 1_000, async () => (await usedInRedis()) === 0);
    await meters.meter.flush();
    await server.kill();
    await server.restart();
    const other = await start();
    expect((await withoutTimeouts(() => spend({}, other))).used).toBe(1);
    await other.close();
  });

  test('a refund made while Redis is unavailable is applied when it returns', async () => {
    const charged = await spend({ units: 30 });
    server.freeze();
    meters.meter.refund(charged);
    meters.meter.refund(await spend({ units: 5 }));
    server.thaw();
    await eventually('everything is given back', 5_000, async () => (await usedInRedis()) === 0);
  });

  test('unavailable at the start: the process starts, answers locally, and uses Redis once it is available', async () => {
    await server.kill();
    const late = await start({ isRedisUp: false });
    expect((await spend({}, late)).isLocal).toBe(true);
    await server.restart();
    await eventually(
      'the shared counters answer',
      5_000,
      async () => !(await spend({ units: 0 }, late)).isLocal,
    );
    await eventually('nothing is owed', 5_000, () => late.meter.status().owingAccounts === 0);
    expect((await late.meter.usageOf(`org_${runs}`)).checks).toBe(1);
    await late.close();
  });

  test('a process that ends during the outage writes its grants to the ledger', async () => {
    await spend({ units: 10 });
    await server.kill();
    await eventually('the connection is known to be lost', 1_000, () => !meters.redis.status().isUp);
    for (let i = 0; i < 3; i += 1) await spend();
    const { period } = await meters.meter.usageOf(`org_${runs}`);
    await withoutTimeouts(() => meters.meter.close());
    const ledger = await withoutTimeouts(() => meters.meter.readLedger(`org_${runs}`, period.name));
    expect(ledger.checks.used).toBe(13);
  });
});

describe('Redis out of memory', () => {
  test('takes the local path, never an internal error, and returns to Redis when there is room', async () => {
    await spend();
    await server.run('CONFIG', 'SET', 'maxmemory', '1mb');
    const answers = await Promise.all(Array.from({ length: 10 }, () => spend()));
    expect(answers.every((answer) => answer.isLocal && answer.outcome === 'granted')).toBe(true);
    expect(meters.meter.status().mode).toBe('local');
    await server.run('CONFIG', 'SET', 'maxmemory', '0');
    expect((await spend()).isLocal).toBe(false);
    expect(await usedInRedis()).toBe(12);
  });
});
