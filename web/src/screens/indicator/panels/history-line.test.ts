import type { ReputationHistory } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import type { Listing } from './check-seen.ts';
import { expectsLine, historyLine, listChanges, noHistorySentence } from './history-line.ts';
import { ADDRESS, basic, finished, reputation, WHOIS } from './seen.fixture.ts';

const NOW_MS = Date.parse('2026-11-15T00:00:00Z');
const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const listing = (sourceId: string, firstSeen: string | null): Listing => ({
  sourceId,
  value: ADDRESS.value,
  matchType: 'exact',
  firstSeen: firstSeen === null ? null : `${firstSeen}T00:00:00Z`,
  lastSeen: null,
  contribution: 0,
});
const source = (id: string, threatClass: 'threat' | 'infrastructure') => ({
  id,
  name: id,
  type: 'ip',
  category: 'abuse',
  categories: [],
  threatClass,
  fpRisk: 'low' as const,
  matchType: 'exact' as const,
  status: 'verified' as const,
  confidenceBase: 50,
  retentionDays: 90,
  tags: [],
  entityTypes: [],
  format: 'text' as const,
  dating: 'undated' as const,
});
const listed = finished(ADDRESS, {
  reputation: reputation({
    sources: [source('a', 'threat'), source('b', 'threat'), source('tor', 'infrastructure')],
    listings: [listing('b', '2026-10-01'), listing('a', '2026-09-01'), listing('tor', '2026-01-01')],
  }),
  basic: basic({ whois: { ...WHOIS, createdDate: '2019-06-04T00:00:00Z' } }),
});
const record = (over: Partial<ReputationHistory> = {}): ReputationHistory => ({
  entity: ADDRESS.value,
  type: 'ip',
  days: 90,
  points: [],
  events: [],
  spans: [],
  firstSeen: null,
  lastSeen: null,
  trend: 'stable',
  retainedFrom: null,
  ...over,
});
const point = (date: string, blocklistHits: number) => ({
  date,
  score: 0,
  level: 'low' as const,
  blocklistHits,
  malicious: false,
});

describe('the line of the timeline', () => {
  test('without a record counts the current accusers from the date of each first listing', () => {
    const line = historyLine(listed, null, NOW_MS);
    expect(line?.steps.map(({ count }) => count)).toEqual([0, 1, 2]);
    expect(line?.steps.slice(1).map(({ atMs }) => atMs)).toEqual([at('2026-09-01'), at('2026-10-01')]);
    expect(line?.madeOf).toContain('Lists that have dropped it are not shown');
    expect(line?.ticks).toEqual([{ atMs: at('2019-06-04'), label: 'registered' }]);
    expect(expectsLine(listed, false)).toBe(true);
  });

  test('two listings of one source count once, from the earlier date', () => {
    const seen = finished(ADDRESS, {
      reputation: reputation({
        sources: [source('a', 'threat')],
        listings: [listing('a', '2026-10-01'), listing('a', '2026-09-01')],
      }),
    });
    expect(historyLine(seen, null, NOW_MS)?.steps.map(({ count }) => count)).toEqual([0, 1]);
  });

  test('a record of five hours is no record of 90 days: what was known before it stays', () => {
    const nowMs = Date.parse('2026-11-15T20:00:00Z');
    const young = record({ points: [point('2026-11-15', 2)], retainedFrom: '2026-11-15T15:00:00Z' });
    const line = historyLine(listed, young, nowMs);
    const withoutRecord = historyLine(listed, null, nowMs);
    expect(line?.fromMs).toBe(withoutRecord?.fromMs);
    expect(line?.steps).toEqual([
      ...(withoutRecord?.steps ?? []),
      { atMs: Date.parse('2026-11-15T15:00:00Z'), count: 2 },
    ]);
    expect(line?.ticks.map(({ label }) => label)).toEqual(['registered', 'record begins']);
    expect(line?.madeOf).toBe(
      'Since 2026-11-15: the record of this service, each day judged by the rules of today. Before: when each list that names it now first did; lists that had dropped it by then are not shown.',
    );
  });

  test('a record follows the dates of the lists, and marks changes of the level', () => {
    const line = historyLine(
      listed,
      record({
        points: [point('2026-09-20', 4), point('2026-11-13', 1), point('2026-11-14', 3)],
        events: [
          { at: '2026-11-13T00:00:00Z', type: 'score_changed', from: 'inconclusive', to: 'low' },
          { at: '2026-11-14T00:00:00Z', type: 'score_changed', from: 'low', to: 'high' },
          { at: '2026-11-14T00:00:00Z', type: 'listed', source: 'a' },
        ],
        retainedFrom: '2026-09-20T08:00:00Z',
      }),
      NOW_MS,
    );
    // One list dates its entry to October but dropped it meanwhile: for days that the record covers, the record counts.
    expect(line?.steps.map(({ count }) => count)).toEqual([0, 1, 4, 1, 3]);
    expect(line?.steps[2]?.atMs).toBe(Date.parse('2026-09-20T08:00:00Z'));
    expect(line?.ticks.map(({ label }) => label)).toEqual([
      'registered',
      'record begins',
      // Written as "none" and not as "safe": no source listed it then, which proves nothing.
      'level none to low',
      'level low to high',
    ]);
  });

  test('a record with nothing before it says only what it is', () => {
    const line = historyLine(
      finished(ADDRESS),
      record({ points: [point('2026-11-13', 1)], retainedFrom: '2026-11-13T09:00:00Z' }),
      NOW_MS,
    );
    expect(line?.fromMs).toBe(Date.parse('2026-11-13T09:00:00Z'));
    expect(line?.ticks).toEqual([]);
    expect(line?.madeOf).toBe(
      'Since 2026-11-13: the record of this service, each day judged by the rules of today.',
    );
  });

  test('the axis spans a day at least, however young the record is', () => {
    const began = '2026-11-14T23:59:46.000Z';
    const young = record({ points: [point('2026-11-14', 2), point('2026-11-15', 2)], retainedFrom: began });
    const line = historyLine(finished(ADDRESS), young, NOW_MS);
    expect(line?.fromMs).toBe(at('2026-11-14'));
    expect(line?.steps[0]).toEqual({ atMs: Date.parse(began), count: 2 });
  });

  test('a line is expected of lists without dates where the record dates them', () => {
    const undated = finished(ADDRESS, {
      reputation: reputation({ sources: [source('a', 'threat')], listings: [listing('a', null)] }),
    });
    expect([expectsLine(undated, false), expectsLine(undated, true)]).toEqual([false, true]);
    expect(expectsLine(finished(ADDRESS), true)).toBe(false);
  });

  test('the lists that added and dropped it are named, newest first, and an unknown start is called one', () => {
    const span = { sourceId: 'a', source: 'A list', last: '2026-11-14T00:00:00Z' };
    expect(
      listChanges(
        record({
          spans: [
            { ...span, first: '2026-10-01T00:00:00Z', startKnown: false, open: true, source: 'Old list' },
            { ...span, first: '2026-11-12T00:00:00Z', startKnown: true, open: false },
          ],
        }),
      ),
    ).toEqual([
      { at: '2026-11-14T00:00:00Z', source: 'A list', what: 'dropped it' },
      { at: '2026-11-12T00:00:00Z', source: 'A list', what: 'listed it' },
      { at: '2026-10-01T00:00:00Z', source: 'Old list', what: 'had it already; since when is not known' },
    ]);
    expect(listChanges(null)).toEqual([]);
  });

  test('an empty record does not hide the current listings', () => {
    expect(historyLine(listed, record({ points: [point('2026-11-13', 0)] }), NOW_MS)?.steps).toHaveLength(3);
  });

  test('dates alone, without listings, give marks and no line', () => {
    const seen = finished(ADDRESS, {
      enrichment: {
        timeline: {
          firstSeen: '2026-04-23T00:00:00Z',
          lastSeen: '2026-11-14T00:00:00Z',
          trend: 'stable',
          totalDetections: 1,
        },
      },
    });
    const line = historyLine(seen, null, NOW_MS);
    expect(line?.steps).toEqual([]);
    expect(line?.ticks.map(({ label }) => label)).toEqual(['first seen', 'last seen']);
  });

  test('without a listing there is no line, and a sentence says why', () => {
    const seen = finished(ADDRESS);
    expect(historyLine(seen, null, NOW_MS)).toBeNull();
    expect(noHistorySentence(seen, null)).toBe(
      'No history: no source that dates its entries has listed this address.',
    );
    expect(noHistorySentence(seen, record({ retainedFrom: '2026-10-30T00:00:00Z' }))).toBe(
      'No source listed this address in the record, which begins 2026-10-30. No history before.',
    );
  });
});
