import { expect, test } from 'vitest';
import { countsTests } from './run-proof.ts';

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
