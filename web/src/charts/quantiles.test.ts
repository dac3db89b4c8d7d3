import { describe, expect, test } from 'vitest';
import { quantileBounds, quantileOf } from './quantiles.ts';

describe('quantiles of a map', () => {
  test('five groups of about equal size, however large the largest count is', () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000_000];
    const bounds = quantileBounds(counts, 5);
    expect(bounds).toEqual([1, 3, 5, 7, 9]);
    const sizes = [1, 2, 3, 4, 5].map(
      (step) => counts.filter((count) => quantileOf(count, bounds) === step).length,
    );
    expect(sizes).toEqual([2, 2, 2, 2, 2]);
  });

  test('fewer values than groups: a group each, and none is empty', () => {
    expect(quantileBounds([7], 5)).toEqual([7]);
    expect(quantileBounds([7, 7, 9], 5)).toEqual([7, 9]);
    expect(quantileBounds([], 5)).toEqual([]);
  });

  test('no listing makes no group, and zeros make none either', () => {
    const bounds = quantileBounds([0, 0, 4], 5);
    expect(bounds).toEqual([4]);
    expect(quantileOf(0, bounds)).toBe(0);
  });
});
