import { expect, test } from 'vitest';
import { drawnShares, type LevelPart, levelShares } from './level-shares.ts';

const part = (level: string, count: number): LevelPart => ({
  id: level,
  level,
  word: level,
  tone: 'unknown',
  count,
});

test('a level that no indicator has is named, and takes no place in the bar', () => {
  const shares = levelShares([part('critical', 0), part('medium', 1), part('low', 3)]);
  expect(shares.map(({ percent }) => percent)).toEqual([0, 25, 75]);
  expect(drawnShares(shares).map(({ level }) => level)).toEqual(['medium', 'low']);
});

test('nothing at all is no bar', () => {
  const shares = levelShares([part('critical', 0)]);
  expect(shares.map(({ percent }) => percent)).toEqual([0]);
  expect(drawnShares(shares)).toEqual([]);
});
