import { expect, test } from 'vitest';
import { earlierOf, type FirstSeen } from './first-seen.ts';

const seen = (firstSeenS: number, dating: FirstSeen['dating']): FirstSeen => ({ firstSeenS, dating });

test.each([
  ['the earlier of two dates of the entry', seen(5, 'own'), seen(3, 'sighted'), 3],
  ['a date of the entry before an earlier one of the data', seen(3, 'undated'), seen(5, 'own'), 5],
  ['the earlier of two dates of data', seen(3, 'undated'), seen(5, 'undated'), 3],
])('%s, in either order', (_, a, b, expected) => {
  expect(earlierOf(a, b).firstSeenS).toBe(expected);
  expect(earlierOf(b, a).firstSeenS).toBe(expected);
});
