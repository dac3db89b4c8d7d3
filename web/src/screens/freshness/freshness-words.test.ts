import { describe, expect, test } from 'vitest';
import { ageSentence, freshnessSentence, healthRows, hours, statusWord, tookFor } from './freshness-words.ts';

const dataset = (status: 'fresh' | 'stale' | 'missing' | 'failing', changes: object = {}) => ({
  id: status,
  label: 'A list',
  status,
  lastUpdatedAt: null,
  ageHours: 40.5,
  slaHours: 336,
  records: 1,
  message: null,
  ...changes,
});

describe('what the freshness page says', () => {
  test('the sentence counts every status that is there, worst first', () => {
    const datasets = [dataset('failing'), dataset('stale'), dataset('fresh'), dataset('fresh')];
    expect(freshnessSentence({ datasets })).toBe('2 of 4 data sets are fresh; 1 failing, 1 stale.');
    expect(freshnessSentence({ datasets: [dataset('fresh')] })).toBe('1 of 1 data set is fresh.');
  });

  test('without data sets the sentence says that every answer is unknown', () => {
    expect(freshnessSentence({ datasets: [] })).toContain('every answer is unknown');
  });

  test('a status this version does not know is shown as it came', () => {
    expect(statusWord('missing')).toBe('Not loaded');
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

  test('an engine that is down is shown with the consequence', () => {
    const rows = healthRows({
      status: 'degraded',
      timestamp: '',
      replicaContactAgeMs: 0,
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
