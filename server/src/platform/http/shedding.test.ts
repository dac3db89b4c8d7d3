import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createShedder, eventLoopDelay, SHED_LIMITS } from './shedding.ts';

const shedderAt = (meanMs: number) =>
  createShedder(SHED_LIMITS, { meanMs: () => meanMs, stop: () => undefined });

describe('load shedding', () => {
  test('limits fall from A to E, so that what matters most is refused last', () => {
    const delays = (['A', 'B', 'C', 'D', 'E'] as const).map((name) => SHED_LIMITS[name].delayMs);
    expect(delays).toEqual([...delays].sort((a, b) => b - a));
  });

  test('those refused together are told to come back at different times', () => {
    const shedder = shedderAt(10_000);
    const waits = Array.from({ length: 6 }, () => shedder.refuse('E', 0));
    expect(waits).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('a loop that is late every time is seen', async () => {
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
