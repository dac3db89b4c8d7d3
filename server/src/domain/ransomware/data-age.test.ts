import { expect, test } from 'vitest';
import { type ClaimWindows, doubtOf, isComparable } from './data-age.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 4, 8, 12);
const windows = (given: Partial<ClaimWindows>): ClaimWindows => ({
  newestMs: NOW_MS,
  last30d: { claims: 100, known: 20 },
  prev30d: { claims: 100, known: 20 },
  ...given,
});

test.each([
  ['a claim of today', windows({}), null],
  ['a claim 14 days ago', windows({ newestMs: NOW_MS - 14 * DAY_MS }), null],
  ['a claim a second older than 14 days', windows({ newestMs: NOW_MS - 14 * DAY_MS - 1_000 }), 'old'],
  ['no claim', windows({ newestMs: null, last30d: { claims: 0, known: 0 } }), 'old'],
  ['19 of 100 claims with the field', windows({ last30d: { claims: 100, known: 19 } }), 'sparse'],
  ['7 of 35 claims with the field', windows({ last30d: { claims: 35, known: 7 } }), null],
  ['old claims that all have the field', windows({ newestMs: NOW_MS - 107 * DAY_MS }), 'old'],
])('%s: the doubt is %3$s', (_name, given, doubt) => {
  expect(doubtOf(given, NOW_MS)).toBe(doubt);
});

test('30 days without claims, or with few known sectors, are nothing to compare with', () => {
  expect(isComparable(windows({}))).toBe(true);
  expect(isComparable(windows({ prev30d: { claims: 0, known: 0 } }))).toBe(false);
  expect(isComparable(windows({ prev30d: { claims: 100, known: 3 } }))).toBe(false);
});
