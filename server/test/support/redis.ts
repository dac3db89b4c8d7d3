import { randomBytes } from 'node:crypto';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { eventually } from './eventually.ts';
import { runOn } from './redis-server.ts';

/** The shared server: never stop, flush or reconfigure it. */
export const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Key prefix of one test file; pass it to `removeKeys` at the end. */
export const testPrefix = (): string => `test-${randomBytes(5).toString('hex')}`;

export async function connectTestRedis(url = REDIS_URL, timeoutMs = 2_000): Promise<Redis> {
  const redis = await connectRedis({
    config: { REDIS_URL: url, REDIS_TIMEOUT_MS: timeoutMs },
    log: createLog('silent', { write: () => undefined }),
    clock: systemClock(),
  });
  // `connectRedis` stops waiting for a connection after a second; the first commands would then fail.
  await eventually('Redis is connected', 30_000, () => redis.status().isUp);
  return redis;
}

export async function removeKeys(prefix: string, url = REDIS_URL): Promise<void> {
  let cursor = '0';
  do {
    const page = await runOn(url, ['SCAN', cursor, 'MATCH', `${prefix}:*`, 'COUNT', '1000']);
    const [next, keys] = page as [string, string[]];
    if (keys.length > 0) await runOn(url, ['UNLINK', ...keys]);
    cursor = next;
  } while (cursor !== '0');
}
