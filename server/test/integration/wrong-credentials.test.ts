import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthFailures } from '#capabilities/access/auth-failures.ts';
import { AddressGuard } from '#capabilities/metering/index.ts';
import { METER_LIBRARY } from '#capabilities/metering/meter-library.ts';
import { systemClock } from '#platform/clock.ts';
import { type Redis, RedisAway } from '#platform/redis.ts';
import { connectTestRedis, removeKeys, testPrefix } from '#test/redis.ts';

const prefix = testPrefix();
const clock = systemClock();
const config = { REDIS_PREFIX: prefix, CLOCK_OFFSET_MS: 0 };
const PER_MINUTE = 20;
let redis: Redis;

beforeAll(async () => {
  redis = await connectTestRedis();
  await redis.loadLibrary(METER_LIBRARY);
});
afterAll(async () => {
  redis?.close();
  await removeKeys(prefix);
});

/** The counter of wrong credentials in one process. */
const newProcess = (over: Pick<Redis, 'command'>, shares: number) =>
  createAuthFailures(
    clock,
    PER_MINUTE,
    new AddressGuard({ redis: over as Redis, config, clock, shares: () => shares }),
  );

async function toleratedBy(processes: readonly ReturnType<typeof newProcess>[], address: string) {
  let tolerated = 0;
  for (let i = 0; i < PER_MINUTE * 10; i += 1)
    await processes[i % processes.length]?.count(address).then(
      () => {
        tolerated += 1;
      },
      () => undefined,
    );
  return tolerated;
}

test('four processes together tolerate as many wrong credentials of an address as one does', async () => {
  const four = Array.from({ length: 4 }, () => newProcess(redis, 4));
  expect(await toleratedBy(four, '203.0.113.7')).toBe(PER_MINUTE);
});

test('while Redis is down each process tolerates its share', async () => {
  const away = { command: () => Promise.reject(new RedisAway('down')) };
  const four = Array.from({ length: 4 }, () => newProcess(away, 4));
  expect(await toleratedBy(four, '203.0.113.8')).toBeLessThanOrEqual(PER_MINUTE);
});
