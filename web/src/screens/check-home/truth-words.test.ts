import { expect, test } from 'vitest';
import { textOf } from '../../navigation/linked-word.ts';
import { type Truth, truthWords } from './truth-words.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const line = (truth: Truth) => textOf(truthWords(truth, NOW));

test('the corpus line has the count, the age and the number of sources', () => {
  const words = truthWords(
    {
      totalThreats: 1_800_000,
      indicators: 1_912_345,
      sourceCount: 41,
      newestDataAt: '2026-11-15T11:56:00Z',
    },
    NOW,
  );
  expect(textOf(words)).toBe('1.9M listed indicators, newest 4 min ago, 41 sources.');
  expect(words.filter(({ to }) => to !== undefined)).toEqual([
    { text: '1.9M listed indicators', to: '/overview', title: '1,912,345' },
    { text: '41 sources', to: '/status/data' },
  ]);
});

test('fields that an older service does not send are left out', () => {
  expect(line({ totalThreats: 3_458_075 })).toBe('3.5M listed threats.');
  expect(line({ totalThreats: 1, indicators: 1, sourceCount: 1, newestDataAt: null })).toBe(
    '1 listed indicator, 1 source.',
  );
});

test('an empty service says that every answer would be unknown', () => {
  expect(line({ totalThreats: 0, indicators: 0, sourceCount: 0 })).toContain('unknown');
});
