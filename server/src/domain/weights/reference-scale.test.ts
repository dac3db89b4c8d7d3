import { expect, test } from 'vitest';
import type { LearnedTable } from './learned-table.ts';
import { scaleOf } from './reference-scale.ts';

const shipped = {
  cells: [
    { source: 'phish', group: 'F', n: 9_000, h: 20, f: 0, points: 0, gone: { n: 5_000, h: 8 } },
    { source: 'phish', group: 'U', n: 5_000, h: 48, f: 0, points: 0 },
    { source: 'small', group: 'U', n: 999, h: 500, f: 0, points: 0 },
  ],
} as unknown as LearnedTable;
const counted = (source: string, group: 'F' | 'U', n: number, h: number) => ({
  source,
  cells: [{ group, n, h }],
});

test('the sum of the cells that both tables hold becomes that of the shipped table, without what left them', () => {
  const own = [counted('phish', 'F', 4_000, 40), counted('phish', 'U', 5_000, 200)];
  expect(scaleOf(shipped, own)).toBe((20 - 8 + 48) / 240);
});

test('cells of fewer than 1,000 entries, and those that only one table holds, take no part', () => {
  const own = [
    counted('phish', 'U', 5_000, 96),
    counted('phish', 'F', 999, 5_000),
    counted('small', 'U', 50_000, 5_000),
    counted('other', 'U', 50_000, 5_000),
  ];
  expect(scaleOf(shipped, own)).toBe(0.5);
});

test('a reference with fewer than 30 hits has no scale', () => {
  expect(scaleOf(shipped, [counted('phish', 'U', 5_000, 29)])).toBeNull();
});
