import { expect, test } from 'vitest';
import { truthLine } from './truth-words.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

test('the corpus line has the count, the age and the number of sources', () => {
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

test('fields that an older service does not send are left out', () => {
  expect(truthLine({ totalThreats: 3_458_075 }, NOW).text).toBe('3.5M listed threats.');
  expect(truthLine({ totalThreats: 1, indicators: 1, sourceCount: 1, newestDataAt: null }, NOW).text).toBe(
    '1 listed indicator, 1 source.',
  );
});

test('an empty service says that every answer would be unknown', () => {
  expect(truthLine({ totalThreats: 0, indicators: 0, sourceCount: 0 }, NOW).text).toContain('unknown');
});
