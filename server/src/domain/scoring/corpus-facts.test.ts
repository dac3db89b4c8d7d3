import { describe, expect, test } from 'vitest';
import { NOW_H, sourceOf } from './case.fixture.ts';
import { corpusFactsOf } from './corpus-facts.ts';

const HOUR_S = 3_600;
const hoursAgo = (hours: number) => (NOW_H - hours) * HOUR_S;

describe('corpus facts', () => {
  test('coverage is the share of the expected weight that is loaded, freshness the share of that whose data is not stale', () => {
    const sources = [
      sourceOf('a', { reliability: 0.9, intervalS: HOUR_S, dataAtS: hoursAgo(14 * 24) }),
      sourceOf('b', { reliability: 0.6, intervalS: HOUR_S, dataAtS: hoursAgo(14 * 24) - 1 }),
      sourceOf('c', { reliability: 0.5, dataAtS: 0 }),
    ];
    const { coverage, corpusFresh, freshSources, newestDataH } = corpusFactsOf(sources, 'ip', NOW_H, sources);
    expect([coverage, corpusFresh, freshSources]).toEqual([1.5 / 2, 0.9 / 1.5, 1]);
    expect(newestDataH).toBe(NOW_H - 14 * 24);
  });

  describe('against the default sources of the catalogue', () => {
    const defaults = Array.from({ length: 27 }, (_, nth) =>
      sourceOf(`default-${nth}`, { reliability: 0.76 }),
    );
    const own = sourceOf('own', { reliability: 0.75 });
    const of = (sources: Parameters<typeof corpusFactsOf>[0]) =>
      corpusFactsOf(sources, 'ip', NOW_H, defaults);

    test('one own list covers a few percent, and no default source is loaded', () => {
      const { coverage, defaultShare, otherSources } = of([own]);
      expect(coverage).toBeCloseTo(0.75 / (27 * 0.76));
      expect([defaultShare, otherSources]).toEqual([0, 1]);
    });

    test('all default sources cover everything, and own sources on top of them not more', () => {
      expect(of(defaults)).toMatchObject({ coverage: 1, defaultShare: 1, otherSources: 0 });
      expect(of([...defaults, own])).toMatchObject({ coverage: 1, defaultShare: 1, otherSources: 1 });
    });

    test('own sources stand in for missing default sources, and the share of the defaults says what is missing', () => {
      const { coverage, defaultShare } = of([
        ...defaults.slice(1),
        own,
        sourceOf('more', { reliability: 0.5 }),
      ]);
      expect(coverage).toBe(1);
      expect(defaultShare).toBeCloseTo(26 / 27);
    });

    test('what is learned of a default source changes nothing: all of them are loaded', () => {
      const learned = defaults.map((source) => ({ ...source, reliability: 0.3 }));
      expect(of(learned)).toMatchObject({ coverage: 1, defaultShare: 1 });
    });

    test('a source that an operator switched off is missing', () => {
      const off = defaults.map((source, nth) => ({ ...source, enabled: nth > 0 }));
      expect(of(off).defaultShare).toBeCloseTo(26 / 27);
    });

    test('where the catalogue has no default source, one own list is no complete corpus', () => {
      const wallet = sourceOf('wallets', { reliability: 0.75, entityTypes: ['crypto'] });
      expect(corpusFactsOf([wallet], 'crypto', NOW_H, defaults)).toMatchObject({
        coverage: 0.25,
        defaultShare: null,
        otherSources: 1,
      });
    });
  });

  test('a source is fresh by the age of its data, whenever we loaded it (O55)', () => {
    const loadedNow = sourceOf('a', { dataAtS: hoursAgo(24 * 400), lastFetchAtS: hoursAgo(0) });
    const loadedLongAgo = sourceOf('b', { dataAtS: hoursAgo(0), lastFetchAtS: hoursAgo(24 * 400) });
    expect(corpusFactsOf([loadedNow], 'ip', NOW_H, [loadedNow])).toMatchObject({
      coverage: 1,
      freshSources: 0,
    });
    expect(corpusFactsOf([loadedLongAgo], 'ip', NOW_H, [loadedLongAgo])).toMatchObject({
      coverage: 1,
      freshSources: 1,
    });
  });

  test('a source that was never loaded is neither loaded nor fresh', () => {
    const never = sourceOf('a', { dataAtS: 0, intervalS: 1e9 });
    expect(corpusFactsOf([never], 'ip', NOW_H, [never])).toEqual({
      coverage: 0,
      defaultShare: 0,
      otherSources: 0,
      corpusFresh: 0,
      freshSources: 0,
      freshScanners: 0,
      newestDataH: 0,
    });
  });

  test('a publisher whose clock runs ahead has data of this hour', () => {
    expect(corpusFactsOf([sourceOf('a', { dataAtS: hoursAgo(-5) })], 'ip', NOW_H, []).newestDataH).toBe(
      NOW_H,
    );
  });

  test('only enabled sources that accuse count: no labels, no ad lists', () => {
    const silent = [
      sourceOf('a', { enabled: false }),
      sourceOf('b', { adOnly: true }),
      sourceOf('c', { threatClass: 'infrastructure' }),
      sourceOf('d', { threatClass: 'allowlist' }),
    ];
    expect(corpusFactsOf(silent, 'ip', NOW_H, []).freshSources).toBe(0);
  });

  test.each([
    ['ip', ['ip', 'range', 'several', 'mixed', 'typed']],
    ['domain', ['domain', 'several', 'mixed']],
    ['url', ['ip', 'range', 'domain', 'url', 'several', 'mixed', 'typed']],
    ['hash', ['hash', 'mixed']],
    ['email', ['mixed']],
  ] as const)('the sources for %s are %j', (kind, ids) => {
    const sources = [
      sourceOf('ip', { entityTypes: ['ip'] }),
      sourceOf('range', { entityTypes: ['cidr'] }),
      sourceOf('domain', { entityTypes: ['domain'], type: 'ip' }),
      sourceOf('url', { entityTypes: ['url'] }),
      sourceOf('hash', { entityTypes: ['hash'] }),
      sourceOf('several', { entityTypes: ['domain', 'ip'] }),
      sourceOf('mixed', { type: 'mixed' }),
      sourceOf('typed', { type: 'ip' }),
      sourceOf('networks', { entityTypes: ['asn'] }),
      sourceOf('numbers', { type: 'phone' }),
    ];
    const speaking = sources.filter((source) => corpusFactsOf([source], kind, NOW_H, []).freshSources === 1);
    expect(speaking.map(({ id }) => id)).toEqual(ids);
  });

  test('a list of vulnerable drivers never counts as an engine', () => {
    const sources = [
      sourceOf('a', { signal: 'scanner' }),
      sourceOf('b', { signal: 'scanner', tags: ['vulnerable-driver'] }),
      sourceOf('c', { signal: 'scanner', category: 'vulnerable-driver' }),
    ];
    expect(corpusFactsOf(sources, 'ip', NOW_H, sources)).toMatchObject({ freshSources: 3, freshScanners: 1 });
  });
});
