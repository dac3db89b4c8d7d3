import type { SearchResults } from '@assay/sdk';
import { expect, test } from 'vitest';
import { lookalikeSentence, othersOf, passesBy } from './lookalikes.ts';

const hit = (value: string, technique: string): SearchResults['results'][number] => ({
  value,
  type: 'domain',
  technique: technique as 'typosquat',
  score: 80,
  categories: ['phishing'],
  lastSeen: '2026-11-15T10:00:00Z',
});

test('the name of the page is not its own look-alike', () => {
  const results = [hit('paypal.com', 'exact'), hit('paypa1.com', 'homoglyph')];
  expect(othersOf({ results }).map(({ value }) => value)).toEqual(['paypa1.com']);
});

test('every technique has words, and an unknown one is shown by its name', () => {
  expect(passesBy({ technique: 'typosquat' })).toBe('one slip of the keyboard away');
  expect(passesBy(hit('x.com', 'bitsquat'))).toBe('bitsquat');
});

test.each([
  [1, false, '1 name on threat lists passes for this one, the most dangerous first.'],
  [2, false, '2 names on threat lists pass for this one, the most dangerous first.'],
  [2, true, 'More than 2 names on threat lists pass for this one, the most dangerous first.'],
])('%i found, cut %s', (count, truncated, sentence) => {
  const results = Array.from({ length: count }, (_, n) => hit(`paypal${n}.com`, 'typosquat'));
  expect(lookalikeSentence({ results, truncated })).toBe(sentence);
});
