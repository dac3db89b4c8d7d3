import { describe, expect, test } from 'vitest';
import { registrySource } from '#test/registry.ts';
import type { FeedState } from '../freshness/judge-freshness.ts';
import { LicensedSources, SourceStatistics } from './contract.ts';
import { presentSources, presentStatistics } from './present-sources.ts';

const NOW_MS = Date.UTC(2027, 0, 31);
const NOW_S = NOW_MS / 1_000;
const state = (sourceNumber: number, problem: string | null): FeedState => ({
  sourceNumber,
  nextRunAtMs: null,
  problem,
  rebaseMs: 0,
  quarantine: null,
});
const SOURCES = [
  registrySource({
    number: 1,
    entries: 7,
    dataAtS: NOW_S - 60,
    lastFetchAtS: NOW_S - 30,
    reliability: 0.949_999_988,
  }),
  registrySource({ number: 2, entries: 7, dataAtS: NOW_S - 90 * 86_400, type: 'ip', category: 'c2' }),
  registrySource({ number: 3, entries: 7, dataAtS: NOW_S }),
  registrySource({ number: 4, enabled: false, entries: 7, dataAtS: NOW_S }),
  registrySource({ number: 5 }),
  registrySource({ number: 6, scheduled: true, threatClass: 'allowlist' }),
  registrySource({ number: 7, scheduled: true }),
];
const STATES = [state(3, 'The publisher answered 500.'), state(7, 'The name does not resolve.')];

describe('POST /sources', () => {
  const list = presentSources(SOURCES, STATES, NOW_MS);

  test('one state each: ok, stale, failing, or disabled for a source that is not in use', () => {
    expect(list.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'list-1 ok',
      'list-2 stale',
      'list-3 failing',
      'list-4 disabled',
      'list-5 disabled',
      'list-6 stale',
      'list-7 failing',
    ]);
  });

  test('exactly the fields of decisions 3.5, with reliability in percent', () => {
    expect(LicensedSources.parse(list)).toEqual(list);
    expect(Object.keys(list[0] ?? {})).toEqual(
      'id provider name type url status category categories entityTypes format licenseMode tags confidenceBase retentionDays threatClass fpRisk signal lastFetchedAt entries'.split(
        ' ',
      ),
    );
    expect(list[0]).toMatchObject({ confidenceBase: 95, lastFetchedAt: '2027-01-30T23:59:30.000Z' });
    expect(list[1]?.lastFetchedAt).toBeNull();
  });
});

describe('GET /sources/statistics', () => {
  const statistics = presentStatistics({
    sources: SOURCES,
    states: STATES,
    added24h: new Map([[1, 3]]),
    removed24h: new Map([[1, 2]]),
    indicators: 20,
    nowMs: NOW_MS,
  });

  test('counts and lists only the sources in use', () => {
    expect(SourceStatistics.parse(statistics)).toEqual(statistics);
    expect(statistics).toMatchObject({
      totalSources: 7,
      activeSources: 5,
      failingSources: 2,
      byType: { ip: 1, mixed: 4 },
      byCategory: { c2: 1, malware: 4 },
      byThreatClass: { allowlist: 1, threat: 4 },
      totalIndicators: 20,
      sourceCount: 3,
      lastIngestAt: '2027-01-30T23:59:30.000Z',
    });
    expect(statistics.sources.map(({ id }) => id)).not.toContain('list-4');
    expect(statistics.sources[0]).toMatchObject({ added24h: 3, removed24h: 2, status: 'ok' });
  });

  test('a registry without a source has no last ingest', () => {
    const none = presentStatistics({
      sources: [],
      states: [],
      added24h: new Map(),
      removed24h: new Map(),
      indicators: 0,
      nowMs: NOW_MS,
    });
    expect(none).toMatchObject({ totalSources: 0, lastIngestAt: null, sources: [] });
  });
});
