import { describe, expect, test } from 'vitest';
import { isFolded, isPublished, newsOf } from './news-of.ts';

const stands = (level: string, score: number, ...sources: number[]) => ({
  level,
  score,
  sources,
  sharedScore: score,
  listed: sources.join(),
});
const categoriesOf = (source: number): readonly string[] => (source === 3 ? ['phishing'] : ['c2']);
const key = Buffer.of(1);

describe('what a change of listings is called (decisions 3.13, O13)', () => {
  test('accused for the first time: threat.new', () => {
    expect(newsOf(null, stands('low', 12, 1), categoriesOf)).toEqual({ type: 'threat.new' });
  });
  test('another level, up or down: reputation.changed', () => {
    expect(newsOf(stands('low', 12, 1), stands('high', 70, 1, 2), categoriesOf)?.type).toBe(
      'reputation.changed',
    );
    expect(newsOf(stands('high', 70, 1), stands('inconclusive', 0), categoriesOf)?.type).toBe(
      'reputation.changed',
    );
  });
  test('the same level by other sources: threat.updated, with what changed', () => {
    expect(newsOf(stands('high', 70, 1), stands('high', 70, 1, 2), categoriesOf)).toEqual({
      type: 'threat.updated',
      changed: ['sources'],
    });
    expect(newsOf(stands('high', 70, 1), stands('high', 75, 1, 3), categoriesOf)).toEqual({
      type: 'threat.updated',
      changed: ['sources', 'categories', 'score'],
    });
  });
  test('the same level by the same sources, with another date: nothing', () => {
    expect(newsOf(stands('high', 70, 1), stands('high', 71, 1), categoriesOf)).toBeNull();
  });
});

describe('what a summary explains', () => {
  const move = { key, before: stands('low', 12, 1), after: stands('high', 70, 1, 2) };
  test('a change that comes from a first load alone is folded; one that another list made too is not', () => {
    expect(isFolded(move, new Set([2]))).toBe(true);
    expect(isFolded(move, new Set([1]))).toBe(false);
    expect(isFolded({ ...move, after: stands('high', 70, 1, 2, 3) }, new Set([2]))).toBe(false);
    expect(isFolded(move, new Set())).toBe(false);
  });
  test('a change without another source is no part of a first load', () => {
    expect(isFolded({ ...move, after: stands('high', 70, 1) }, new Set([1, 2]))).toBe(false);
  });
});

describe('what is published', () => {
  test.each([
    [null, 35, true],
    [null, 34, false],
    [34, 35, true],
    [35, 80, false],
    [80, 10, false],
  ])('from %s to %s points: %s', (before, after, told) => {
    expect(isPublished(before === null ? null : { sharedScore: before }, after)).toBe(told);
  });
});
