import { expect, test } from 'vitest';
import { trendOf } from './trend.ts';

const days = (count: number, score: number) => Array.from({ length: count }, () => score);

test.each([
  ['nothing is known', [], 'stable'],
  ['a single day', [90], 'stable'],
  ['a difference of less than five points', [...days(7, 40), ...days(7, 44)], 'stable'],
  ['the last week above the first', [...days(7, 40), ...days(20, 0), ...days(7, 45)], 'rising'],
  ['the last week below the first', [...days(7, 45), ...days(20, 99), ...days(7, 40)], 'falling'],
  ['of three days the first and the last', [10, 99, 80], 'rising'],
] as const)('%s', (_what, scores, trend) => {
  expect(trendOf(scores)).toBe(trend);
});
