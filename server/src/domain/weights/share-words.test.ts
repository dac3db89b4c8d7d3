import { expect, test } from 'vitest';
import { oneInOf, sentenceOfShare } from './share-words.ts';

test('a share is said with two digits', () => {
  expect([0.000375798, 0.0000999746, 0.0112256].map(oneInOf)).toEqual(['2,700', '10,000', '89']);
});

test.each([
  ['F', 'About 1 in 2,700 entries listed in the last 60 days is a site people visit.'],
  ['M', 'About 1 in 2,700 entries listed for 60 days to a year is a site people visit.'],
  ['O', 'About 1 in 2,700 entries listed for more than a year is a site people visit.'],
  ['U', 'About 1 in 2,700 entries without a date is a site people visit.'],
] as const)('%s: %s', (group, sentence) => {
  expect(sentenceOfShare(0.000375798, group)).toBe(sentence);
});
