import { describe, expect, test } from 'vitest';
import { registrySource } from '#test/registry.ts';
import { NO_COUNTS } from './count-threats.ts';
import {
  fillDays,
  type Gathered,
  growthRate,
  NO_SLICES,
  presentStatistics,
  timelineStartMs,
} from './present-statistics.ts';

const NOW_MS = Date.UTC(2027, 2, 1, 5, 30);
const QUIET = { added24h: 0, removed24h: 0, added7d: 0, addedBefore7d: 0 };

describe('growth rate (decisions 3.15)', () => {
  test.each([
    [150, 100, 50],
    [50, 100, -50],
    [0, 100, -100],
    [1, 3, -66.67],
    [7, 0, 0],
    [0, 0, 0],
  ])('%i after %i is %d percent', (last, before, rate) => {
    expect(growthRate(last, before)).toBe(rate);
  });
});

describe('the timeline', () => {
  test('has thirty days without a gap, today last, across the end of February', () => {
    const days = fillDays([{ day: '2027-02-28', added: 4, removed: 2 }], NOW_MS);
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ day: '2027-01-31', added: 0, removed: 0 });
    expect(days.slice(-2)).toEqual([
      { day: '2027-02-28', added: 4, removed: 2 },
      { day: '2027-03-01', added: 0, removed: 0 },
    ]);
    expect(new Set(days.map(({ day }) => day)).size).toBe(30);
  });

  test('starts at midnight of its first day, and drops days outside it', () => {
    expect(new Date(timelineStartMs(NOW_MS)).toISOString()).toBe('2027-01-31T00:00:00.000Z');
    const days = fillDays([{ day: '2027-01-30', added: 9, removed: 9 }], NOW_MS);
    expect(days.every(({ added }) => added === 0)).toBe(true);
  });
});

describe('the statistics', () => {
  const NOTHING: Gathered = {
    counts: NO_COUNTS,
    slices: NO_SLICES,
    sources: [],
    recent: QUIET,
    days: [],
    nowMs: NOW_MS,
  };

  test('all levels, worst first, and countries with the most first', () => {
    const { analytics } = presentStatistics({
      ...NOTHING,
      slices: {
        levels: {
          safe: {},
          inconclusive: { 'Weak report': 1, 'Old report': 3 },
          low: { Reported: 2 },
          medium: { Suspicious: 3 },
          high: {},
          critical: { Malicious: 5 },
        },
        countries: { DE: 1, NL: 4, AT: 1 },
        accused: null,
      },
    });
    expect(analytics.threatDistribution).toEqual([
      { level: 'critical', count: 5, words: [{ word: 'Malicious', count: 5 }] },
      { level: 'high', count: 0, words: [] },
      { level: 'medium', count: 3, words: [{ word: 'Suspicious', count: 3 }] },
      { level: 'low', count: 2, words: [{ word: 'Reported', count: 2 }] },
      {
        level: 'inconclusive',
        count: 4,
        words: [
          { word: 'Old report', count: 3 },
          { word: 'Weak report', count: 1 },
        ],
      },
      { level: 'safe', count: 0, words: [] },
    ]);
    expect(analytics.geoThreatMap.map(({ countryCode }) => countryCode)).toEqual(['NL', 'AT', 'DE']);
  });

  test('the date of the newest data is that of sources with entries, and never in the future', () => {
    const at = (number: number, ms: number, more = {}) =>
      registrySource({ number, entries: 1, dataAtS: ms / 1_000, ...more });
    const sources = [
      at(1, NOW_MS - 240_000),
      at(2, NOW_MS - 86_400_000),
      at(3, NOW_MS, { enabled: false }),
      at(4, NOW_MS, { entries: 0 }),
    ];
    expect(presentStatistics({ ...NOTHING, sources }).stats).toMatchObject({
      sourceCount: 2,
      freshSourceCount: 2,
      newestDataAt: '2027-03-01T05:26:00.000Z',
    });
    const ahead = presentStatistics({ ...NOTHING, sources: [at(1, NOW_MS + 3_600_000)] });
    expect(ahead.stats.newestDataAt).toBe('2027-03-01T05:30:00.000Z');
  });

  test('the count of sources is the same in both answers, and a source with old data is not among the fresh ones', () => {
    const sources = [
      registrySource({ number: 1, entries: 1, dataAtS: NOW_MS / 1_000 }),
      registrySource({ number: 2, entries: 1, dataAtS: NOW_MS / 1_000 - 90 * 86_400 }),
      registrySource({ number: 3, scheduled: true }),
    ];
    const counts = { ...NO_COUNTS, indicators: 9, threats: 4 };
    const { stats, analytics } = presentStatistics({ ...NOTHING, counts, sources });
    expect(stats).toMatchObject({ indicators: 9, sourceCount: 2, freshSourceCount: 1 });
    expect(analytics.threatOverview).toMatchObject({ indicators: 9, sourceCount: 2 });
  });

  test('a corpus without an entry is all zeros, and no share divides by zero', () => {
    const { stats, analytics } = presentStatistics(NOTHING);
    expect(stats).toEqual({
      totalThreats: 0,
      byType: { domains: 0, ips: 0 },
      recentActivity: { last24h: 0, last7d: 0, growthRate: 0 },
      indicators: 0,
      sourceCount: 0,
      freshSourceCount: 0,
      newestDataAt: null,
      accusedExample: null,
    });
    expect(analytics.categoryBreakdown).toEqual([]);
    expect([analytics.threatDistribution, analytics.geoThreatMap]).toEqual([[], []]);
    expect(analytics.topSources).toEqual([]);
  });

  test('the twenty largest threat sources; shares are of all threats', () => {
    const sources = [
      ...Array.from({ length: 25 }, (_, at) => registrySource({ number: at + 1, entries: at })),
      registrySource({ number: 90, entries: 1_000, threatClass: 'allowlist' }),
      registrySource({ number: 91, entries: 1_000, adOnly: true }),
    ];
    const counts = { ...NO_COUNTS, threats: 3, threatsByCategory: { spam: 1, c2: 3 } };
    const { analytics } = presentStatistics({ ...NOTHING, counts, sources });
    expect(analytics.topSources).toHaveLength(20);
    expect(analytics.topSources[0]).toEqual({ id: 'list-25', name: 'List 25', count: 24 });
    expect(analytics.categoryBreakdown).toEqual([
      { category: 'c2', count: 3, share: 1 },
      { category: 'spam', count: 1, share: 0.3333 },
    ]);
  });
});
