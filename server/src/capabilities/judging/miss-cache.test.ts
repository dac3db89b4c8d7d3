import { expect, test } from 'vitest';
import type { CorpusAnswer } from '#capabilities/corpus/index.ts';
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
const nothingAt = (seq: number): CorpusAnswer => ({
  listings: [],
  seq,
  registry: { version: '00000000', sources: [] },
});

test('contract 2.1 rule 4: a miss is cached for five minutes and not longer', () => {
  const clock = movableClock();
  const misses = createMissCache(clock);
  const nothing = nothingAt(1);
  misses.add('aa', nothing);
  clock.advance(299_000);
  expect(misses.find('aa', 1)).toBe(nothing);
  expect(misses.find('ab', 1)).toBeUndefined();
  clock.advance(2_000);
  expect(misses.find('aa', 1)).toBeUndefined();
});

test('O6: any change of the corpus clears all misses', () => {
  const misses = createMissCache(movableClock());
  misses.add('aa', nothingAt(1));
  expect(misses.find('aa', 2)).toBeUndefined();
  misses.add('bb', nothingAt(2));
  expect(misses.find('aa', 1)).toBeUndefined();
  expect(misses.find('aa', 2)).toBeUndefined();
});

test('the cache of misses is bounded', () => {
  const misses = createMissCache(movableClock());
  for (let i = 0; i < 50_001; i += 1) misses.add(`hash-${i}`, nothingAt(1));
  expect(misses.find('hash-0', 1)).toBeUndefined();
  expect(misses.find('hash-50000', 1)).toBeDefined();
});
