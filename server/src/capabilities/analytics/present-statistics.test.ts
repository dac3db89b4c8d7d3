import { describe, expect, test } from 'vitest';
import { registrySource } from '#test/registry.ts';
import { NO_COUNTS } from './count-threats.ts';
import { fillDays, growthRate, presentStatistics, timelineStartMs } from './present-statistics.ts';

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

describe('what is presented', () => {
  test('a corpus without an entry is all zeros, and no share divides by zero', () => {
    const { stats, analytics } = presentStatistics({
      counts: NO_COUNTS,
      sources: [],
      recent: QUIET,
      days: [],
      nowMs: NOW_MS,
    });
    expect(stats).toEqual({
      totalThreats: 0,
      byType: { domains: 0, ips: 0 },
      recentActivity: { last24h: 0, last7d: 0, growthRate: 0 },
    });
    expect(analytics.categoryBreakdown).toEqual([]);
    expect(analytics.topSources).toEqual([]);
  });

  test('the twenty largest threat sources; shares are of all threats', () => {
    const sources = [
      ...Array.from({ length: 25 }, (_, at) => registrySource({ number: at + 1, entries: at })),
      registrySource({ number: 90, entries: 1_000, threatClass: 'allowlist' }),
      registrySource({ number: 91, entries: 1_000, adOnly: true }),
    ];
    const counts = { ...NO_COUNTS, threats: 3, threatsByCategory: { spam: 1, c2: 3 } };
    const { analytics } = presentStatistics({ counts, sources, recent: QUIET, days: [], nowMs: NOW_MS });
    expect(analytics.topSources).toHaveLength(20);
    expect(analytics.topSources[0]).toEqual({ id: 'list-25', name: 'List 25', count: 24 });
    expect(analytics.categoryBreakdown).toEqual([
      { category: 'c2', count: 3, share: 1 },
      { category: 'spam', count: 1, share: 0.3333 },
    ]);
  });
});
