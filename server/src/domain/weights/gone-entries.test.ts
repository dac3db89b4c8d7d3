import { expect, test } from 'vitest';
import { goneAfter, NO_ENTRIES } from './gone-entries.ts';

test('what left a cell is halved every 90 days', () => {
  expect(goneAfter({ n: 28_000, h: 11 }, 90, NO_ENTRIES)).toEqual({ n: 14_000, h: 5.5 });
});

test('decay counts days and not runs: one run after 9 days is nine runs', () => {
  let nightly = { n: 28_000, h: 11 };
  for (let day = 0; day < 9; day += 1) nightly = goneAfter(nightly, 1, NO_ENTRIES);
  const once = goneAfter({ n: 28_000, h: 11 }, 9, NO_ENTRIES);
  expect(nightly.n).toBeCloseTo(once.n, 1);
  expect(nightly.h).toBeCloseTo(once.h, 2);
});

test('what leaves today counts whole, and fractions have three places', () => {
  expect(goneAfter({ n: 10, h: 1 }, 1, { n: 5, h: 2 })).toEqual({ n: 14.923, h: 2.992 });
});

test('a clock that goes back adds nothing', () => {
  expect(goneAfter({ n: 10, h: 1 }, -5, NO_ENTRIES)).toEqual({ n: 10, h: 1 });
});
