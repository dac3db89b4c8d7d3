import { expect, test } from 'vitest';
import { countsTests, missedGoals } from './run-proof.ts';

test.each([
  ['      Tests  7 passed (7)', true],
  ['      Tests  2 failed | 491 passed (493)', true],
  ['      Tests  1 failed (1)', true],
  [
    '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m12 passed\u001b[39m\u001b[22m\u001b[90m (12)\u001b[39m',
    true,
  ],
  ['      Tests  7 skipped (7)', false],
  [' Test Files  1 passed (1)', false],
  ['Tests of lists: 3 entries', false],
])('a proof knows whether a test ran: %j', (line, expected) => {
  expect(countsTests(line)).toBe(expected);
});

test('a benchmark whose figure misses its goal, or is not printed, has not passed', () => {
  const goals = { ratio: { atLeast: 0.4 }, seconds: { atMost: 10 } };
  expect(missedGoals(goals, { ratio: 0.4, seconds: 10 })).toEqual([]);
  expect(missedGoals(goals, { ratio: 0.39, seconds: 10.6 })).toEqual([
    'ratio is 0.39; at least 0.4 was asked.',
    'seconds is 10.6; at most 10 was asked.',
  ]);
  expect(missedGoals(goals, { ratio: 1 })).toEqual(['The figure seconds was not printed.']);
});
