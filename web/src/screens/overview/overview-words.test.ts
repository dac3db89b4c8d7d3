import { describe, expect, test } from 'vitest';
import { textOf } from '../../navigation/linked-word.ts';
import { countryCounts, headSentences, levelParts, mapSentence, timelineSentence } from './overview-words.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const stats = (changes: object = {}) => ({
  totalThreats: 3_458_075,
  byType: { domains: 2, ips: 1 },
  recentActivity: { last24h: 1_200, last7d: 9_000, growthRate: 8.4 },
  indicators: 3_500_000,
  sourceCount: 171,
  freshSourceCount: 160,
  accusedExample: null,
  newestDataAt: '2026-11-15T11:20:00Z',
  ...changes,
});

describe('what the overview says', () => {
  const said = (changes: object = {}) => headSentences(stats(changes), NOW).map(textOf);

  test('the count, the sources, the age and the recent changes; the counts are those of the home page', () => {
    expect(said()).toEqual([
      '3,500,000 indicators are listed by 171 sources; the newest data is from 40 min ago.',
      'Threat lists name 3,458,075 of them; the others are on lists that only describe. 1,200 listings were added in the last 24 hours, 9,000 in seven days: 8 % more than in the seven before.',
    ]);
  });

  test('both counts lead to the page of the sources, and no other word does', () => {
    const linked = headSentences(stats(), NOW)
      .flat()
      .filter(({ to }) => to !== undefined);
    expect(linked).toEqual([
      { text: '3,500,000 indicators', to: '/status/data' },
      { text: '171 sources', to: '/status/data' },
    ]);
  });

  test('an empty service says that every answer is unknown, not that nothing is wrong', () => {
    const [sentence] = said({ indicators: 0, totalThreats: 0 });
    expect(sentence).toContain('Nothing is listed yet');
    expect(sentence).not.toMatch(/clean|safe/i);
  });

  test('lists without a threat are listed, and no threat list names them', () => {
    expect(said({ indicators: 9, totalThreats: 0, sourceCount: 1 })[1]).toMatch(/^No threat list names/);
  });

  test('where threat lists name every indicator, no others are spoken of', () => {
    expect(said({ indicators: 3, totalThreats: 3 })[1]).toMatch(/^Threat lists name all of them\. /);
    expect(said({ indicators: 1, totalThreats: 1 })[1]).toMatch(/^A threat list names it\. /);
  });

  test('a week without additions is stated, and a decrease is called fewer', () => {
    const activity = (recentActivity: object) => said({ recentActivity })[1];
    expect(activity({ last24h: 0, last7d: 0, growthRate: 0 })).toContain(
      'No listing began in the last seven days',
    );
    expect(activity({ last24h: 1, last7d: 2, growthRate: -50 })).toContain('50 % fewer');
  });

  test('a level is told in the words of the ladder: a faded report is not a weak one, and neither is called safe', () => {
    const parts = levelParts([
      {
        level: 'critical',
        count: 3,
        words: [
          { word: 'Critical risk', count: 2 },
          { word: 'Malicious', count: 1 },
        ],
      },
      { level: 'medium', count: 0, words: [] },
      { level: 'low', count: 0, words: [] },
      {
        level: 'inconclusive',
        count: 5,
        words: [
          { word: 'Old report', count: 3 },
          { word: 'Weak report', count: 2 },
        ],
      },
      { level: 'safe', count: 0, words: [] },
      { level: 'novel', count: 3, words: [{ word: 'novel', count: 3 }] },
    ]);
    expect(parts.map(({ word, count }) => `${word} ${count}`)).toEqual([
      'Critical risk 2',
      'Malicious 1',
      'Suspicious 0',
      'Reported 0',
      'Old report 3',
      'Weak report 2',
      'novel 3',
    ]);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
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
