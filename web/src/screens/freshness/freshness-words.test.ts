import { describe, expect, test } from 'vitest';
import {
  ageSentence,
  causeSentence,
  freshnessSentence,
  healthRows,
  hours,
  limitWords,
  movedSentence,
  publicSentence,
  statusWord,
  tookFor,
} from './freshness-words.ts';

const dataset = (status: 'fresh' | 'stale' | 'missing' | 'failing', changes: object = {}) => ({
  id: status,
  label: 'A list',
  status,
  lastUpdatedAt: null,
  ageHours: 40.5,
  slaHours: 336,
  records: 1,
  message: null,
  category: 'phishing',
  threatClass: 'threat' as const,
  cause: null,
  reason: null,
  movedDays: 0,
  ...changes,
});
const stats = (changes: object = {}) => ({
  totalThreats: 7,
  byType: { domains: 7, ips: 0 },
  recentActivity: { last24h: 0, last7d: 0, growthRate: 0 },
  indicators: 3_912_345,
  sourceCount: 171,
  freshSourceCount: 160,
  newestDataAt: null,
  accusedExample: null,
  ...changes,
});

describe('what the freshness page says', () => {
  test('the sentence counts the sources that have data, and every status that is there', () => {
    const datasets = [dataset('failing'), dataset('stale'), dataset('fresh'), dataset('missing')];
    expect(freshnessSentence({ datasets, sourceCount: 3 })).toBe(
      '4 sources are in use, 3 of them have data. By state: 1 fresh, 1 late, 1 never loaded, 1 failing.',
    );
    expect(freshnessSentence({ datasets: [dataset('fresh')], sourceCount: 1 })).toBe(
      '1 source is in use, 1 of them has data. By state: 1 fresh.',
    );
  });

  test('without sources the sentence says that every answer is unknown', () => {
    expect(freshnessSentence({ datasets: [], sourceCount: 0 })).toContain('every answer is unknown');
    expect(publicSentence(stats({ sourceCount: 0 }))).toContain('every answer is unknown');
  });

  test('signed out, the counts are those of the other pages, and sources that are late are counted', () => {
    expect(publicSentence(stats())).toBe(
      '171 sources with data, 160 of them as fresh as they promise, 11 late. Together they list 3,912,345 indicators.',
    );
    expect(publicSentence(stats({ freshSourceCount: 171 }))).toContain('all of them as fresh');
  });

  test('causes are counted, the most frequent first, and an unknown one is shown as it came', () => {
    const causes = ['key', 'unreachable', 'key', 'eclipse'] as const;
    expect(causeSentence(causes.map((cause) => ({ cause: cause as 'key' })))).toBe(
      '2 wait for a key, 1 cannot be reached, 1 eclipse.',
    );
    expect(causeSentence([{ cause: null }])).toBe('');
  });

  test('moved dates are told once for all sources', () => {
    const moved = (...days: number[]) => movedSentence(days.map((movedDays) => ({ movedDays })));
    expect(moved(0, 0)).toBeNull();
    expect(moved(40, 40, 0)).toBe('The dates of 2 sources were moved by +40 days when they were imported.');
    expect(moved(1)).toBe('The dates of 1 source were moved by +1 day when they were imported.');
    expect(moved(-3, 2)).toContain('between −3 days and +2 days');
  });

  test('a status this version does not know is shown as it came', () => {
    expect(statusWord('missing')).toBe('Never loaded');
    expect(statusWord('thawing')).toBe('thawing');
  });

  test.each([
    [0.2, '12 min'],
    [40.5, '41 h'],
    [336, '14 d'],
    [5_040, '7 months'],
  ])('%d hours are %s', (count, words) => {
    expect(hours(count)).toBe(words);
  });

  test('data that is too old and missing data are named', () => {
    expect(ageSentence(dataset('fresh'))).toBe('A list is 41 h old and may be 14 d old.');
    expect(ageSentence(dataset('stale', { ageHours: 400 }))).toMatch(/too old\.$/);
    expect(ageSentence(dataset('missing', { ageHours: null }))).toContain('has no data');
  });

  test('an own list has the end of its days, or none, and no limit of age', () => {
    const own = (expiresAt: string | null) => limitWords(dataset('fresh', { ownList: true, expiresAt }));
    expect(limitWords(dataset('fresh'))).toBe('of 14 d');
    expect(own(null)).toBe('own list, does not age');
    expect(own('2026-10-01T08:00:00.000Z')).toBe('own list, expires 2026-10-01');
  });

  test('an engine that is down is shown with the consequence', () => {
    const rows = healthRows({
      status: 'degraded',
      timestamp: '',
      replicaContactAgeMs: 0,
      data: null,
      services: { api: 'operational', database: 'operational', redis: 'down' },
    });
    expect(rows.map(({ says }) => says)).toEqual([
      'working',
      'working',
      'away: limits are counted locally and may refuse sooner',
    ]);
  });

  test('durations have a unit', () => {
    expect([tookFor(12.4), tookFor(1_240)]).toEqual(['12 ms', '1.2 s']);
  });
});
