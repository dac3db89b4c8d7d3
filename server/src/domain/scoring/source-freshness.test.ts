import { expect, test } from 'vitest';
import { stalenessOf } from './source-freshness.ts';

const DAY = 86_400;
const ageDays = (days: number, intervalS: number) =>
  stalenessOf({ intervalS, dataAtS: 1_000_000_000 }, (1_000_000_000 + days * DAY) * 1_000);

test('data is stale after 30 intervals, and never before two weeks', () => {
  expect(ageDays(14, 300).isStale).toBe(false);
  expect(ageDays(14.01, 300).isStale).toBe(true);
  expect(ageDays(29, DAY).isStale).toBe(false);
  expect(ageDays(30.01, DAY).isStale).toBe(true);
});

test('a source that was never loaded is missing, not stale', () => {
  expect(stalenessOf({ intervalS: DAY, dataAtS: 0 }, 1e12)).toMatchObject({ isStale: false, ageMs: null });
});

test('a date in the future has no negative age', () => {
  expect(ageDays(-3, DAY)).toMatchObject({ isStale: false, ageMs: 0 });
});
