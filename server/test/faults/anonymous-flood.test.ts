import { afterAll, beforeAll, expect, test } from 'vitest';
import { AddressGuard } from '#capabilities/metering/index.ts';
import { METER_LIBRARY } from '#capabilities/metering/meter-library.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { eventually } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';

const NETWORKS = bySize(100_000, 1_000_000);
/** Redis memory: for each of two prefix widths 2,048 strings of 32 records of 68 bytes; 11 MB were measured. */
const BYTES_MAX = 2 * 2_048 * 4_096;
const AT_ONCE = 500;

let server: RedisServer;
let redis: Redis;
let guard: AddressGuard;

beforeAll(async () => {
  server = await startRedisServer();
  const clock = systemClock();
  const config = {
    REDIS_URL: server.url,
    REDIS_TIMEOUT_MS: 10_000,
    REDIS_PREFIX: 'flood',
    CLOCK_OFFSET_MS: 0,
  };
  redis = await connectRedis({ config, log: createLog('silent'), clock });
  // `connectRedis` stops waiting for a connection after a second; every call would then be counted locally.
  await eventually('Redis is connected', 30_000, () => redis.status().isUp);
  await redis.loadLibrary(METER_LIBRARY);
  guard = new AddressGuard({ redis, config, clock, shares: () => 1 });
});
afterAll(async () => {
  redis?.close();
  await server?.stop();
});

async function usedBytes(): Promise<number> {
  const info = String(await server.run('INFO', 'memory'));
  return Number(/used_memory:(\d+)/.exec(info)?.[1]);
}

/** Each /64 is in a /48 of its own: the worst case, because no count of a network refuses it. */
const groupOf = (i: number) => `2a02:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}:1::/64`;

test(`${NETWORKS.toLocaleString('en')} IPv6 networks without a key cannot fill Redis, and a key of the meters stays where it is`, async () => {
  await server.run('SET', 'flood:{usr_1}:u:202611', 'a meter');
  const before = await usedBytes();
  let granted = 0;
  for (let first = 0; first < NETWORKS; first += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) =>
        guard.spend(groupOf(first + i), 'public /stats', { perMinute: 120 }),
      ),
    );
    granted += answers.filter((answer) => answer.granted && !answer.isLocal).length;
  }
  const added = (await usedBytes()) - before;
  // On a busy machine some calls are counted locally, because Redis answers late.
  expect(granted).toBeGreaterThan(0.9 * NETWORKS);
  expect(Number(await server.run('DBSIZE'))).toBeLessThanOrEqual(2 * 2_048 + 1);
  expect(added).toBeLessThan(BYTES_MAX);
  expect(await server.run('GET', 'flood:{usr_1}:u:202611')).toBe('a meter');
  process.stdout.write(`${NETWORKS} networks added ${added} bytes to Redis\n`);
}, 1_800_000);
