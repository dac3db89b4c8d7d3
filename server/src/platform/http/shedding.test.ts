import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type LoopWork, measureLoopWork } from './loop-work.ts';
import { createShedder, eventLoopDelay, SHED_LIMITS, withDelayFactor } from './shedding.ts';

const shedderAt = (meanMs: number, work?: LoopWork) =>
  createShedder(SHED_LIMITS, {
    delay: { meanMs: () => meanMs, stop: () => undefined },
    ...(work !== undefined && { work }),
  });
const MANY = 100;

describe('load shedding', () => {
  test('limits fall from A to E, so that class A is refused last', () => {
    const delays = (['A', 'B', 'C', 'D', 'E'] as const).map((name) => SHED_LIMITS[name].delayMs);
    expect(delays).toEqual([...delays].sort((a, b) => b - a));
  });

  test('a delay factor moves every delay and leaves the numbers in flight', () => {
    expect(withDelayFactor(1)).toEqual(SHED_LIMITS);
    expect(withDelayFactor(10).E).toEqual({ delayMs: 800, inFlightMax: SHED_LIMITS.E.inFlightMax });
  });

  test('requests refused together get different Retry-After values', () => {
    const shedder = shedderAt(10_000);
    const waits = Array.from({ length: 6 }, () => shedder.refuse('E', 0, MANY));
    expect(waits).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('a lone check on a slow machine is answered, however late the loop is', () => {
    const shedder = shedderAt(10_000);
    expect(shedder.refuse('A', 1, 1)).toBe(0);
    expect(shedder.refuse('A', 1, MANY)).toBeGreaterThan(0);
    expect(shedder.refuse('A', SHED_LIMITS.A.inFlightMax + 1, 1)).toBeGreaterThan(0);
  });

  test('delay that one caller causes with its bodies counts against this caller alone', () => {
    let nowMs = 0;
    const work = measureLoopWork({ monotonic: () => nowMs });
    const shedder = shedderAt(SHED_LIMITS.A.delayMs + 100, work);
    expect(shedder.refuse('A', 1, MANY)).toBeGreaterThan(0);
    shedder.noteWork('key_heavy', 400);
    shedder.noteWork('key_light', 5);
    nowMs += 500;
    work.turn();
    expect(shedder.refuse('A', 1, MANY)).toBe(0);
    expect(shedder.refuseCaller('key_light', 'B')).toBe(0);
    expect(shedder.refuseCaller('key_heavy', 'B')).toBeGreaterThan(0);
    // After six windows without work the caller is no longer heavy, so the delay that remains has other causes.
    for (let window = 0; window < 6; window += 1) {
      nowMs += 500;
      work.turn();
    }
    expect(shedder.refuseCaller('key_heavy', 'B')).toBe(0);
    expect(shedder.refuse('A', 1, MANY)).toBeGreaterThan(0);
    shedder.stop();
  });

  test('a late loop without a caller that causes it refuses by class', () => {
    const shedder = shedderAt(SHED_LIMITS.D.delayMs + 1);
    expect([shedder.refuse('D', 1, MANY), shedder.refuse('C', 1, MANY)]).toEqual([1, 0]);
    expect(shedder.refuseCaller('key_01', 'D')).toBe(0);
  });

  test('refusals are summed by class until they are taken', () => {
    const shedder = shedderAt(10_000);
    for (let i = 0; i < 1_000; i += 1) shedder.refuse(i % 2 === 0 ? 'E' : 'D', 0, MANY);
    expect(shedder.takeRefusals()).toEqual({ D: 500, E: 500 });
    expect(shedder.takeRefusals()).toBeNull();
  });

  test('a constantly late event loop is detected', async () => {
    const delay = eventLoopDelay();
    const block = (ms: number) => {
      const endMs = performance.now() + ms;
      while (performance.now() < endMs);
    };
    for (let i = 0; i < 9; i += 1) {
      block(120);
      await wait(1);
    }
    expect(delay.meanMs()).toBeGreaterThan(SHED_LIMITS.E.delayMs / 2);
    delay.stop();
  });
});
