import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeadlineQueue } from './deadline-queue.ts';
import { RedisAway } from './redis-away.ts';

const TIMEOUT_MS = 50;
let expired = 0;
let failed = 0;
let queue: DeadlineQueue;

beforeEach(() => {
  vi.useFakeTimers();
  expired = 0;
  failed = 0;
  queue = new DeadlineQueue({
    timeoutMs: TIMEOUT_MS,
    onExpired: () => {
      expired += 1;
    },
    onFailed: (count) => {
      failed += count;
    },
    recover: () => null,
  });
});
afterEach(() => vi.useRealTimers());

const ask = (onLate?: (reply: unknown) => void) => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const outcome = queue.add({ argv: ['GET', 'x'], onLate }, promise).then(
    (reply) => `reply ${String(reply)}`,
    (error: Error) => error,
  );
  return { outcome, resolve, reject };
};

test('a reply in time is passed on and nothing expires', async () => {
  const { outcome, resolve } = ask();
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
  resolve(1);
  expect(await outcome).toBe('reply 1');
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS * 4);
  expect([expired, failed]).toEqual([0, 0]);
});

test('without a reply, every command past its deadline fails once, and no younger one', async () => {
  const first = ask();
  await vi.advanceTimersByTimeAsync(35);
  const second = ask();
  await vi.advanceTimersByTimeAsync(20);
  expect(await first.outcome).toBeInstanceOf(RedisAway);
  expect([expired, failed]).toEqual([1, 1]);
  second.resolve(2);
  expect(await second.outcome).toBe('reply 2');
});

test('a connection that answers other commands counts as busy, not as unreachable', async () => {
  const slow = ask();
  for (let i = 0; i < 4; i += 1) {
    const other = ask();
    await vi.advanceTimersByTimeAsync(30);
    other.resolve(i);
    await other.outcome;
  }
  expect(failed).toBe(0);
  slow.resolve('at last');
  expect(await slow.outcome).toBe('reply at last');
});

test('a process that was itself stopped for a second does not count Redis as unreachable', async () => {
  const { outcome, resolve } = ask();
  vi.setSystemTime(Date.now() + 1_000);
  await vi.advanceTimersByTimeAsync(12);
  expect(failed).toBe(0);
  resolve('in the buffer all along');
  expect(await outcome).toBe('reply in the buffer all along');
});

test('a reply after the deadline is passed to onLate', async () => {
  const late: unknown[] = [];
  const { outcome, resolve } = ask((reply) => late.push(reply));
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS + 10);
  expect(await outcome).toBeInstanceOf(RedisAway);
  resolve('charged');
  await vi.advanceTimersByTimeAsync(0);
  expect(late).toEqual(['charged']);
});
