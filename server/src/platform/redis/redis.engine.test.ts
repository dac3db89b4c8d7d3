import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { registry } from '#platform/metrics.ts';
import { connectRedis, type Redis, RedisAway } from '#platform/redis.ts';
import { eventually } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';

const LIBRARY = `#!lua name=engine_test
redis.register_function('engine_test_echo', function(keys, argv) return argv[1] end)`;

/** Where other work shares the machine, a server that runs may need longer than the 50 ms of production. */
const TIMEOUT_MS = bySize(1_000, 50);

let server: RedisServer;
let redis: Redis;

beforeAll(async () => {
  server = await startRedisServer('--enable-debug-command', 'yes');
});
afterAll(() => server?.stop());
beforeEach(async () => {
  redis = await connect();
  await redis.loadLibrary(LIBRARY);
});
afterEach(() => {
  server.thaw();
  redis.close();
});

const connect = () =>
  connectRedis({
    config: { REDIS_URL: server.url, REDIS_TIMEOUT_MS: TIMEOUT_MS },
    log: createLog('silent', { write: () => undefined }),
    clock: systemClock(),
  });
const echo = (text: string) => redis.callFunction('engine_test_echo', ['k'], [text]);
const breaker = async () =>
  (await registry.getSingleMetric('assay_redis_breaker_open')?.get())?.values.find(
    ({ labels }) => labels.address === `127.0.0.1:${server.port}`,
  )?.value;
const failing = async (work: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> => {
  const startedMs = performance.now();
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, ms: performance.now() - startedMs };
};

test('commands and functions answer; an invalid command is an error reply and not RedisAway', async () => {
  expect(await redis.command('k', ['SET', 'k', 'v'])).toBe('OK');
  expect(await echo('hello')).toBe('hello');
  const wrong = await failing(() => redis.command('k', ['INCR', 'k']));
  expect(wrong.error).toBeInstanceOf(Error);
  expect(wrong.error).not.toBeInstanceOf(RedisAway);
});

test('a function that the server lost is loaded again within the call', async () => {
  await server.run('FUNCTION', 'FLUSH');
  expect(await echo('again')).toBe('again');
});

test(`reliability finding 2: a stopped server costs ${bySize('one deadline', '50 ms')} and then nothing, and the breaker shows in the metrics`, async () => {
  await echo('warm');
  server.freeze();
  const first = await failing(() => echo('x'));
  expect(first.error).toBeInstanceOf(RedisAway);
  expectWithin(first.ms, 90);
  await eventually('the breaker is open', 1_000, () => !redis.status().isUp);
  expect(await breaker()).toBe(1);
  const next = await failing(() => echo('x'));
  expect(next.error).toBeInstanceOf(RedisAway);
  expectWithin(next.ms, 10);
  server.thaw();
  await eventually('the breaker is closed', 3_000, () => redis.status().isUp);
  expect(await breaker()).toBe(0);
  expect(await echo('back')).toBe('back');
});

test('a connection that stays silent for seconds is replaced, and the new one works', async () => {
  await echo('warm');
  server.freeze();
  await failing(() => echo('x'));
  await new Promise((resolve) => setTimeout(resolve, 4_500));
  server.thaw();
  await eventually('answers', 4_000, () =>
    echo('y').then(
      () => true,
      () => false,
    ),
  );
});

test('a server asleep for seconds (DEBUG SLEEP) fails calls within the deadline and is used again at once', async () => {
  await echo('warm');
  // The server sleeps for many deadlines, so that it still sleeps when the calls below are sent late.
  const asleep = server.run('DEBUG', 'SLEEP', bySize('10', '1'));
  let during = await failing(() => echo('x'));
  await eventually('a call meets the sleeping server', 5_000, async () => {
    if (during.error === null) during = await failing(() => echo('x'));
    return during.error !== null;
  });
  expect(during.error).toBeInstanceOf(RedisAway);
  expectWithin(during.ms, 90);
  await asleep;
  await eventually('answers', 1_500, () =>
    echo('y').then(
      () => true,
      () => false,
    ),
  );
});

test('a thousand calls in flight when the server dies all end, none unhandled', async () => {
  const calls = Array.from({ length: 1_000 }, (_, i) => failing(() => echo(String(i))));
  await server.kill();
  const ended = await Promise.all(calls);
  expect(ended.every(({ error }) => error === null || error instanceof RedisAway)).toBe(true);
  const offline = await failing(() => echo('x'));
  expect(offline.error).toBeInstanceOf(RedisAway);
  expectWithin(offline.ms, 10);
  await server.restart();
  await eventually('answers', 4_000, () =>
    echo('y').then(
      () => true,
      () => false,
    ),
  );
});

test('a blocking read waits on a separate connection and delays no other command', async () => {
  const reader = redis.duplicateBlocking('stream');
  const read = reader.command(['XREAD', 'BLOCK', '60000', 'STREAMS', 'stream', '$'], 90_000);
  // An entry that is added before the read waits would not be seen by it.
  await eventually('the read waits', 10_000, async () =>
    String(await server.run('INFO', 'clients')).includes('blocked_clients:1'),
  );
  expect(await echo('meanwhile')).toBe('meanwhile');
  await redis.command('stream', ['XADD', 'stream', '*', 'f', 'v']);
  expect(await read).toMatchObject([['stream', [[expect.any(String), ['f', 'v']]]]]);
  reader.close();
  await expect(reader.command(['PING'], 500)).rejects.toBeInstanceOf(RedisAway);
});
