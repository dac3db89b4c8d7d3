import { expect, test } from 'vitest';
import { alarmOf } from './top-list-alarm.ts';

test.each([
  [10_000, 80, 0.001, 2, 'eight times the shipped share'],
  [10_000, 40, 0.001, 1, 'four times is still no alarm'],
  [10_000, 41, 0.001, 1.025, 'and begins without a step'],
  [1_000, 9, 0.001, 1, 'fewer than ten hits are chance'],
  [1_000, 500, null, 1, 'a source that the shipped table lacks has nothing to compare with'],
  [0, 0, 0.001, 1, 'no names, no alarm'],
])('%d names, %d of them popular, shipped share %s: times %d, %s', (names, hits, share, expected, _why) => {
  expect(alarmOf(names, hits, share)).toBeCloseTo(expected, 10);
});
