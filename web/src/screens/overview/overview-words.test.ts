import { describe, expect, test } from 'vitest';
import { countryCounts, headSentences, levelParts, mapSentence, timelineSentence } from './overview-words.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const stats = (changes: object = {}) => ({
  totalThreats: 3_458_075,
  byType: { domains: 2, ips: 1 },
  recentActivity: { last24h: 1_200, last7d: 9_000, growthRate: 8.4 },
  indicators: 3_500_000,
  sourceCount: 171,
  newestDataAt: '2026-11-15T11:20:00Z',
  ...changes,
});

describe('what the overview says', () => {
  test('the count, the sources, the age and the recent changes', () => {
    expect(headSentences(stats(), NOW)).toEqual([
      '3,458,075 indicators are listed as threats by 171 sources; the newest data is from 40 min ago.',
      '1,200 listings were added in the last 24 hours, 9,000 in seven days: 8 % more than in the seven before.',
    ]);
  });

  test('an empty service says that every answer is unknown, not that nothing is wrong', () => {
    const [sentence] = headSentences(stats({ totalThreats: 0 }), NOW);
    expect(sentence).toContain('Nothing is listed yet');
    expect(sentence).not.toMatch(/clean|safe/i);
  });

  test('a week without additions is stated, and a decrease is called fewer', () => {
    const activity = (recentActivity: object) => headSentences(stats({ recentActivity }), NOW)[1];
    expect(activity({ last24h: 0, last7d: 0, growthRate: 0 })).toContain('No source has added anything');
    expect(activity({ last24h: 1, last7d: 2, growthRate: -50 })).toContain('50 % fewer');
  });

  test('no level of a listed thing is called safe', () => {
    const words = levelParts([
      { level: 'critical', count: 1 },
      { level: 'inconclusive', count: 2 },
      { level: 'novel', count: 3 },
    ]).map(({ word }) => word);
    expect(words).toEqual(['Malicious', 'Old or weak report', 'novel']);
  });

  test('countries have names, and an unknown code stays a code', () => {
    const countries = countryCounts([
      { countryCode: 'DE', count: 2_000 },
      { countryCode: 'T1', count: 1 },
    ]);
    expect(countries.map(({ name }) => name)).toEqual(['Germany', 'T1']);
    expect(mapSentence(countries)).toBe(
      'Listed addresses by country, 2 countries; most in Germany 2K, T1 1.',
    );
    expect(mapSentence([])).toBe('No listed address has a known country.');
  });

  test('the timeline adds up', () => {
    expect(
      timelineSentence([
        { day: '2026-11-14', added: 3, removed: 1 },
        { day: '2026-11-15', added: 4, removed: 0 },
      ]),
    ).toBe('Listings added and removed a day, last 2 days: 7 added, 1 removed.');
  });
});
