import { expect, test } from 'vitest';
import { rateSurroundings } from './rate-surroundings.ts';

test.each([
  ['6 listed of a /16 of Google', 6, 65_536, 'low'],
  ['50 listed of a /12 of a cloud', 50, 1_048_576, 'low'],
  ['one neighbour in a /24', 1, 256, 'low'],
  ['two neighbours in a /24', 2, 256, 'medium'],
  ['half a percent of a /20', 21, 4_096, 'medium'],
  ['24 neighbours in a /24', 24, 256, 'high'],
  ['100 neighbours in a /24', 100, 256, 'high'],
  ['an empty space', 0, 0, 'low'],
])('%s: %i of %i is %s', (_, listed, space, level) => {
  expect(rateSurroundings({ listed, space })).toBe(level);
});
