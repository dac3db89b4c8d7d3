import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METER_FUNCTIONS, METER_LIBRARY, OUTCOME } from '#capabilities/metering/meter-library.ts';
import { EMPTY_WINDOW, spendWindow, type Window } from '#domain/metering/window.ts';
import type { Redis } from '#platform/redis.ts';
import { connectTestRedis, removeKeys, testPrefix } from '#test/redis.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 15);
const MONTH = [String(Date.UTC(2026, 10, 1)), String(Date.UTC(2026, 11, 1))] as const;

const prefix = testPrefix();
let redis: Redis;

beforeAll(async () => {
  redis = await connectTestRedis();
  await redis.loadLibrary(METER_LIBRARY);
});
afterAll(async () => {
  redis?.close();
  await removeKeys(prefix);
});

const keysOf = () => {
  const account = `${prefix}:{${randomUUID()}}`;
  return { burst: `${account}:b:key`, month: `${account}:u:202611` };
};
type Keys = ReturnType<typeof keysOf>;
const burst = (keys: Keys, nowMs: number, limit: number, units = '0') =>
  redis.callFunction(METER_FUNCTIONS.meter, [keys.burst], [String(nowMs), String(limit), units]) as Promise<
    number[]
  >;
const charge = (
  keys: Keys,
  units: number,
  limit: number,
  incarnation = 'one',
  nowMs = START_MS,
  burstLimit = 1e6,
) =>
  redis.callFunction(
    METER_FUNCTIONS.meter,
    [keys.burst, keys.month],
    [String(nowMs), String(burstLimit), String(units), 'checks', String(limit), ...MONTH, incarnation],
  ) as Promise<number[]>;
const settle = (
  keys: Keys,
  begin: string,
  floors: number[] = [0, 0, 0, 0],
  owed = [0, 0, 0],
  process = 'p',
) =>
  redis.callFunction(
    METER_FUNCTIONS.settle,
    [keys.month],
    [begin, ...floors.map(String), process, ...owed.map(String), '60000'],
  ) as Promise<[string, number, number, number, number]>;
const refund = (keys: Keys, units: number) =>
  redis.callFunction(METER_FUNCTIONS.refund, [keys.month], ['checks', String(units)]);

const steps = fc.array(
  fc.record({
    gapMs: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 9_000 }) },
      { weight: 2, arbitrary: fc.integer({ min: 40_000, max: 80_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -40_000, max: 0 }) },
      { weight: 1, arbitrary: fc.constant(-86_400_000) },
    ),
    calls: fc.integer({ min: 1, max: 6 }),
    limit: fc.oneof({ weight: 5, arbitrary: fc.constant(12) }, fc.integer({ min: 0, max: 20 })),
  }),
  { minLength: 1, maxLength: 25 },
);

describe('receipts', () => {
  test('a field holds 400 records of 12 bytes; a new one takes the place of an ended or the oldest one', async () => {
    const keys = { ...keysOf(), receipts: `${prefix}:{${randomUUID()}}:r` };
    const tag = keys.receipts.slice(0, -2);
    const held = { burst: `${tag}:b:key`, month: `${tag}:u:202611` };
    await settle(held, 'one');
    const printOf = (nth: number) => `p${String(nth).padStart(7, '0')}`;
    const call = (
      units: number,
      keptS: number,
      fresh: readonly string[],
      frees: readonly string[],
      nowMs: number,
    ) =>
      redis.callFunction(
        METER_FUNCTIONS.meter,
        [held.burst, held.month, keys.receipts],
        [
          String(nowMs),
          '1000000',
          String(units),
          'checks',
          '1000000',
          ...MONTH,
          'one',
          String(keptS),
          String(fresh.length / 2),
          ...fresh,
          ...frees,
        ],
      ) as Promise<number[]>;
    const isKnown = async (nth: number, nowMs: number) =>
      (await call(1, 60, [], ['aa', printOf(nth)], nowMs))[6] === 0;
    for (let from = 0; from < 1_000; from += 100) {
      const fresh = Array.from({ length: 100 }, (_, i) => ['aa', printOf(from + i)]).flat();
      await call(100, 3_600, fresh, [], START_MS);
    }
    expect(await redis.command(keys.receipts, ['HSTRLEN', keys.receipts, 'aa'])).toBe(400 * 12);
    expect(await redis.command(keys.receipts, ['HLEN', keys.receipts])).toBe(1);
    expect([
      await isKnown(599, START_MS),
      await isKnown(600, START_MS),
      await isKnown(999, START_MS),
    ]).toEqual([false, true, true]);
    const later = START_MS + 3_600_000;
    expect(await isKnown(999, later)).toBe(false);
    await call(1, 3_600, ['aa', printOf(1_000)], [], later);
    expect(await redis.command(keys.receipts, ['HSTRLEN', keys.receipts, 'aa'])).toBe(12);
  });
});

describe('the burst window in Redis', () => {
  test('answers every sequence of calls exactly as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const keys = keysOf();
        let nowMs = START_MS;
        let window: Window = EMPTY_WINDOW;
        const expected: number[][] = [];
        const replies: Promise<number[]>[] = [];
        for (const { gapMs, calls, limit } of sequence) {
          nowMs += gapMs;
          for (let i = 0; i < calls; i += 1) {
            const answer = spendWindow(window, nowMs, MINUTE_MS, limit);
            window = answer.window;
            const outcome = answer.granted ? OUTCOME.granted : OUTCOME.burstSpent;
            expected.push([outcome, answer.remaining, answer.resetMs, answer.retryAfterMs, 0, 0]);
            replies.push(burst(keys, nowMs, limit));
          }
        }
        expect(await Promise.all(replies)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test('reading spends nothing', async () => {
    const keys = keysOf();
    await burst(keys, START_MS, 5);
    for (let i = 0; i < 20; i += 1) {
      const look = await burst(keys, START_MS, 5, '');
      expect(look.slice(0, 3)).toEqual([OUTCOME.granted, 4, START_MS + 65_000]);
    }
    expect((await burst(keys, START_MS, 5))[1]).toBe(3);
  });

  test('two keys of one account have a burst each', async () => {
    const keys = keysOf();
    const other = { ...keys, burst: `${keys.burst}2` };
    expect((await burst(keys, START_MS, 1))[0]).toBe(OUTCOME.granted);
    expect((await burst(keys, START_MS, 1))[0]).toBe(OUTCOME.burstSpent);
    expect((await burst(other, START_MS, 1))[0]).toBe(OUTCOME.granted);
  });

  test('stores 60 bytes that expire', async () => {
    const keys = keysOf();
    await burst(keys, START_MS, 5);
    await burst(keys, START_MS, 5);
    expect(await redis.command(keys.burst, ['STRLEN', keys.burst])).toBe(60);
    const ttlMs = Number(await redis.command(keys.burst, ['PTTL', keys.burst]));
    expect(ttlMs).toBeGreaterThan(60_000);
    expect(ttlMs).toBeLessThanOrEqual(70_000);
  });
});

describe('the month in Redis', () => {
  test('demands a seed before it counts, and counts from that seed', async () => {
    const keys = keysOf();
    expect(await charge(keys, 1, 100)).toEqual([OUTCOME.settleFirst]);
    expect(await settle(keys, '')).toEqual(['', 0, 0, 0, 0]);
    expect(await settle(keys, 'one', [40, 2, 7, 0])).toEqual(['one', 40, 2, 7, 0]);
    expect((await charge(keys, 1, 100)).slice(4)).toEqual([41, 2]);
  });

  test('refuses without charging when units do not fit, and charges nothing of the burst either', async () => {
    const keys = keysOf();
    await settle(keys, 'one', [95, 0, 0, 0]);
    const [outcome, remaining] = await charge(keys, 6, 100, 'one', START_MS, 10);
    expect([outcome, remaining]).toEqual([OUTCOME.monthSpent, 10]);
    expect((await charge(keys, 5, 100, 'one', START_MS, 10)).slice(0, 2)).toEqual([OUTCOME.granted, 9]);
  });

  test('a refused burst charges no units', async () => {
    const keys = keysOf();
    await settle(keys, 'one');
    await charge(keys, 1, 100, 'one', START_MS, 1);
    const refused = await charge(keys, 1, 100, 'one', START_MS, 1);
    expect([refused[0], refused[4]]).toEqual([OUTCOME.burstSpent, 1]);
  });

  test('0 units spend the burst only, even when the month is used up', async () => {
    const keys = keysOf();
    await settle(keys, 'one', [100, 0, 0, 0]);
    expect((await charge(keys, 0, 100)).slice(4)).toEqual([100, 0]);
    expect((await charge(keys, 0, 100))[0]).toBe(OUTCOME.granted);
  });

  test('checks and scans do not touch each other', async () => {
    const keys = keysOf();
    await settle(keys, 'one');
    await charge(keys, 3, 100);
    expect(await settle(keys, '')).toEqual(['one', 3, 0, 0, 0]);
  });

  test('a refund never goes below zero and is kept when a process reports a higher count from before', async () => {
    const keys = keysOf();
    await settle(keys, 'one');
    await charge(keys, 10, 100);
    expect(await refund(keys, 4)).toEqual([10, 4]);
    expect(await settle(keys, '', [10, 0, 0, 0])).toEqual(['one', 10, 4, 0, 0]);
    expect(await refund(keys, 50)).toEqual([10, 10]);
    expect(await refund(keysOf(), 1)).toBeNull();
  });

  test('after a loss every process reports the count it saw, and the highest is kept', async () => {
    const keys = keysOf();
    await settle(keys, 'two', [50, 0, 0, 0]);
    expect(await charge(keys, 1, 100, 'one')).toEqual([OUTCOME.settleFirst]);
    expect(await settle(keys, '', [60, 1, 0, 0])).toEqual(['two', 60, 1, 0, 0]);
    expect(await settle(keys, '', [55, 3, 0, 0])).toEqual(['two', 60, 3, 0, 0]);
  });

  test('local grants of a process are added once, however often they are reported', async () => {
    const keys = keysOf();
    await settle(keys, 'one', [10, 0, 0, 0]);
    for (let i = 0; i < 3; i += 1)
      expect(await settle(keys, '', [0, 0, 0, 0], [1, 5, 2])).toEqual(['one', 15, 0, 2, 0]);
    expect(await settle(keys, '', [0, 0, 0, 0], [2, -3, 0])).toEqual(['one', 15, 3, 2, 0]);
    expect(await settle(keys, '', [0, 0, 0, 0], [1, 5, 0], 'another')).toEqual(['one', 20, 3, 2, 0]);
  });

  test('a caller whose clock is in another month gets the time of Redis and is not counted', async () => {
    const keys = keysOf();
    await settle(keys, 'one');
    const endMs = Number(MONTH[1]);
    expect((await charge(keys, 1, 100, 'one', endMs - 1))[0]).toBe(OUTCOME.granted);
    expect(await charge(keys, 1, 100, 'one', endMs)).toEqual([OUTCOME.otherMonth, endMs]);
    expect(await charge(keys, 1, 100, 'one', Number(MONTH[0]) - 1)).toEqual([
      OUTCOME.otherMonth,
      Number(MONTH[0]) - 1,
    ]);
  });

  test('without a time Redis uses its own', async () => {
    const [, , resetMs = 0] = (await redis.callFunction(
      METER_FUNCTIONS.meter,
      [keysOf().burst],
      ['0', '5', '0'],
    )) as number[];
    expect(resetMs).toBeGreaterThan(Date.now() + 50_000);
    expect(resetMs).toBeLessThan(Date.now() + 75_000);
  });
});

describe('the guard of an address', () => {
  test('hour and month must both have room, and a refusal spends neither', async () => {
    const base = `${prefix}:{a1}:a`;
    const monthEnd = MONTH[1];
    const ask = (nowMs: number, perHour: number, perMonth: number) =>
      redis.callFunction(
        METER_FUNCTIONS.guard,
        [`${base}:h`, `${base}:202611`],
        [
          String(nowMs),
          '1',
          'idididid',
          String(HOUR_MS / 12),
          String(perHour),
          'idididid',
          String(perMonth),
          monthEnd,
        ],
      ) as Promise<number[]>;
    for (let left = 2; left >= 0; left -= 1)
      expect((await ask(START_MS, 3, 5)).slice(0, 3)).toEqual([0, 3, left]);
    expect((await ask(START_MS, 3, 5)).slice(0, 3)).toEqual([OUTCOME.burstSpent, 3, 0]);
    const laterMs = START_MS + HOUR_MS + 300_000;
    expect((await ask(laterMs, 3, 5)).slice(0, 3)).toEqual([0, 5, 1]);
    expect((await ask(laterMs, 3, 5)).slice(0, 3)).toEqual([0, 5, 0]);
    const refused = await ask(laterMs, 3, 5);
    expect(refused).toEqual([OUTCOME.monthSpent, 5, 0, Number(monthEnd), Number(monthEnd) - laterMs]);
  });

  test('answers every sequence of calls exactly as the model does, whatever other addresses share the string', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const key = `${prefix}:{${randomUUID()}}:m`;
        let nowMs = START_MS;
        const windows = new Map<string, Window>();
        const expected: number[][] = [];
        const replies: Promise<number[]>[] = [];
        for (const { gapMs, calls, limit } of sequence) {
          nowMs += gapMs;
          for (let i = 0; i < calls; i += 1) {
            const id = `address${i % 3}`;
            const answer = spendWindow(windows.get(id) ?? EMPTY_WINDOW, nowMs, MINUTE_MS, limit);
            windows.set(id, answer.window);
            const outcome = answer.granted ? OUTCOME.granted : OUTCOME.burstSpent;
            expected.push([outcome, limit, answer.remaining, answer.resetMs, answer.retryAfterMs]);
            const args = [String(nowMs), '1', id, String(MINUTE_MS / 12), String(limit)];
            replies.push(redis.callFunction(METER_FUNCTIONS.guard, [key], args) as Promise<number[]>);
          }
        }
        expect(await Promise.all(replies)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  test('a string holds 32 records; a further address takes the place of the one that has spent least', async () => {
    const key = `${prefix}:{${randomUUID()}}:m`;
    const ask = (id: string) =>
      redis.callFunction(
        METER_FUNCTIONS.guard,
        [key],
        [String(START_MS), '1', id, String(MINUTE_MS / 12), '5'],
      ) as Promise<number[]>;
    const idOf = (i: number) => `addr${String(i).padStart(4, '0')}`;
    for (let i = 0; i < 5; i += 1) await ask(idOf(0));
    for (let i = 1; i < 200; i += 1) expect((await ask(idOf(i)))[0]).toBe(OUTCOME.granted);
    expect(await redis.command(key, ['STRLEN', key])).toBe(32 * 68);
    expect((await ask(idOf(0)))[0]).toBe(OUTCOME.burstSpent);
  });
});
