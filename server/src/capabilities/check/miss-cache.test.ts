import { expect, test } from 'vitest';
import type { Clock } from '#platform/clock.ts';
import { createMissCache } from './miss-cache.ts';

function movableClock(): Clock & { advance: (ms: number) => void } {
  let now = 0;
  return {
    now: () => now,
    monotonic: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}

test('contract 2.1 rule 4: a miss is remembered for five minutes and not longer', () => {
  const clock = movableClock();
  const misses = createMissCache(clock);
  misses.add('aa', 1);
  clock.advance(299_000);
  expect(misses.has('aa', 1)).toBe(true);
  clock.advance(2_000);
  expect(misses.has('aa', 1)).toBe(false);
});

test('O6: any change of the corpus forgets every miss', () => {
  const misses = createMissCache(movableClock());
  misses.add('aa', 1);
  expect(misses.has('aa', 2)).toBe(false);
  misses.add('bb', 2);
  expect(misses.has('aa', 1)).toBe(false);
});

test('the memory of misses is bounded', () => {
  const misses = createMissCache(movableClock());
  for (let i = 0; i < 50_001; i += 1) misses.add(`hash-${i}`, 1);
  expect(misses.has('hash-0', 1)).toBe(false);
  expect(misses.has('hash-50000', 1)).toBe(true);
});
