import { expect, test } from 'vitest';
import { truthLine } from './truth-words.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

test('the line of truth has how many, how new and how many sources', () => {
  const line = truthLine(
    {
      totalThreats: 1_800_000,
      indicators: 1_912_345,
      sourceCount: 41,
      newestDataAt: '2026-11-15T11:56:00Z',
    },
    NOW,
  );
  expect(line).toEqual({ text: '1.9M listed indicators, newest 4 min ago, 41 sources.', title: '1,912,345' });
});

test('an older service says less, and nothing is made up for it', () => {
  expect(truthLine({ totalThreats: 3_458_075 }, NOW).text).toBe('3.5M listed threats.');
  expect(truthLine({ totalThreats: 1, indicators: 1, sourceCount: 1, newestDataAt: null }, NOW).text).toBe(
    '1 listed indicator, 1 source.',
  );
});

test('an empty service does not pretend to know', () => {
  expect(truthLine({ totalThreats: 0, indicators: 0, sourceCount: 0 }, NOW).text).toContain('unknown');
});
