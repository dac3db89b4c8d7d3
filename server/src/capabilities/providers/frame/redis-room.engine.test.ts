import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { eventually } from '#test/eventually.ts';
import { capturedLog } from '#test/http-app.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';
import { createRedisRoom } from './redis-room.ts';

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startRedisServer();
  redis = await connectRedis({
    config: { REDIS_URL: server.url, REDIS_TIMEOUT_MS: 10_000 },
    log: capturedLog('silent').log,
    clock: systemClock(),
  });
});
afterAll(async () => {
  redis?.close();
  await server?.stop();
});

test('answers leave half of Redis to the meters, and are written again when there is room', async () => {
  const { log, lines } = capturedLog();
  let nowMs = 0;
  const room = createRedisRoom({ redis, clock: { monotonic: () => nowMs }, log });
  const sees = (wanted: boolean) =>
    eventually(`room: ${wanted}`, 5_000, () => {
      nowMs += 2_001;
      return room.hasRoom('a') === wanted;
    });
  await sees(true);
  await redis.command('a', ['CONFIG', 'SET', 'maxmemory', '64mb']);
  await redis.command('a', ['SETRANGE', 'ballast', '40000000', 'x']);
  await sees(false);
  await redis.command('a', ['DEL', 'ballast']);
  await sees(true);
  expect(lines.filter((line) => line.includes('live.redis.room'))).toHaveLength(2);
});
