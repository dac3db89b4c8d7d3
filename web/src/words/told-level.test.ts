import { expect, test } from 'vitest';
import { toldLevel } from './told-level.ts';

test.each([
  ['safe', 'unknown', 'unknown'],
  ['safe', undefined, 'unknown'],
  ['safe', 'safe', 'safe'],
  ['critical', 'critical', 'critical'],
  ['inconclusive', 'unknown', 'inconclusive'],
])('level %s with evidence %s is told as %s', (level, verdict, told) => {
  expect(toldLevel(level, verdict)).toBe(told);
});
