import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CorpusAnswer, Listing, Source } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK, type NetworkBook } from '#capabilities/enrichment/index.ts';
import { type Assessment, assess, createVerdictMemo } from '#capabilities/judging/index.ts';
import { hostOf, type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { bySize } from '#test/lane.ts';
import { registrySource } from '#test/registry.ts';
import { presentTrust } from './present-trust.ts';

const NOW_MS = Date.UTC(2026, 7, 22, 12);
const HOUR_S = 3_600;
const fresh = { lastFetchAtS: NOW_MS / 1_000 - HOUR_S, dataAtS: NOW_MS / 1_000 - HOUR_S };
const SOURCES: readonly Source[] = [
  registrySource({
    ...fresh,
    number: 1,
    category: 'phishing',
    letter: 'A',
    reliability: 0.95,
    fpRisk: 'low',
  }),
  registrySource({ ...fresh, number: 2, category: 'spam', letter: 'C', reliability: 0.5 }),
  registrySource({ ...fresh, number: 3, cidrSemantics: 'owned', category: 'hijacked-netblock' }),
  registrySource({ ...fresh, number: 4, threatClass: 'allowlist', guard: 'popularity', rankMax: 10_000 }),
  registrySource({ ...fresh, number: 5, threatClass: 'infrastructure', guard: 'service', category: 'cdn' }),
  registrySource({ ...fresh, number: 6, signal: 'scanner', category: 'malware', aggregate: false }),
  registrySource({ ...fresh, number: 7, aggregate: true, category: 'aggregate', reliability: 0.4 }),
];
const REGISTRY = { version: '00000000', sources: SOURCES };
const ASKED = [
  'evil.com',
  'sub.evil.com',
  'github.io',
  'a.github.io',
  'http://evil.com/',
  'http://evil.com/page',
  'http://a.github.io/page',
  'http://45.155.205.233/page',
  'http://[2a02:4780::1]/page',
  '45.155.205.233',
  '45.155.205.234',
  '192.168.1.1',
  '2a02:4780::1',
  'ab'.repeat(32),
].map(indicatorOf);

function indicatorOf(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}

const LISTED = fc.record({
  source: fc.constantFrom(...SOURCES),
  matchType: fc.constantFrom('exact', 'cidr', 'alias', 'parent', 'page', 'child', 'site'),
  ofHost: fc.boolean(),
  prefixBits: fc.constantFrom(16, 24, 32, 64),
  hoursAgo: fc.constantFrom(0, 1, 30, 400),
  isDelisted: fc.boolean(),
});
type Listed = typeof LISTED extends fc.Arbitrary<infer T> ? T : never;

function listingOf(given: Listed, indicator: Indicator): Listing {
  const { source, matchType, ofHost, prefixBits, hoursAgo, isDelisted } = given;
  const lastSeenS = NOW_MS / 1_000 - hoursAgo * HOUR_S;
  const matched = ofHost ? (hostOf(indicator)?.value ?? indicator.value) : indicator.value;
  const listing: Listing = {
    source,
    matchType,
    matched,
    firstSeenS: lastSeenS,
    lastSeenS,
    confidence: -1,
    dating: 'own',
  };
  if (matchType === 'cidr') return { ...listing, prefixBits };
  return isDelisted && source.threatClass === 'threat' ? { ...listing, isDelisted: true } : listing;
}

const BOOK: NetworkBook = {
  ...EMPTY_BOOK,
  networkOf: ({ value }) => ({ asn: value.endsWith('4') ? 64_500 : 64_501, name: 'Example', prefix: null }),
};
const asnListing = (asn: number) =>
  asn === 64_500 ? { asn, sourceId: 'asn-drop', sourceName: 'ASN-DROP' } : null;
const momentOf = (answer: CorpusAnswer, nowMs = NOW_MS) => ({ nowMs, answer, book: BOOK, asnListing });
const answerOf = (listings: readonly Listing[], registry = REGISTRY): CorpusAnswer => ({
  listings,
  seq: 1,
  registry,
});

test('ruling 11: a cached verdict equals a new judgement, after any sequence of checks', () => {
  const memo = createVerdictMemo();
  const cases = fc.record({
    indicator: fc.constantFrom(...ASKED),
    listed: fc.array(LISTED, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(cases, ({ indicator, listed }) => {
      const moment = momentOf(answerOf(listed.map((given) => listingOf(given, indicator))));
      const [known, anew] = [memo, createVerdictMemo()].map((one) => assess(one, indicator, moment));
      expect(known?.verdict).toEqual(anew?.verdict);
      expect(assess(memo, indicator, moment).verdict).toBe(known?.verdict);
      expect(presentTrust(known as Assessment, '', true)).toEqual(presentTrust(anew as Assessment, '', true));
    }),
    { numRuns: bySize(400, 2_000), seed: 11 },
  );
});

test('two names with the same listings share one verdict, and its text names neither', () => {
  const memo = createVerdictMemo();
  const [first, second] = [indicatorOf('evil-one.com'), indicatorOf('evil-two.com')].map((indicator) => {
    const listed = { source: SOURCES[0] as Source, matchType: 'exact', ofHost: false } as const;
    const listing = listingOf({ ...listed, prefixBits: 32, hoursAgo: 1, isDelisted: false }, indicator);
    return assess(memo, indicator, momentOf(answerOf([listing])));
  });
  expect(first?.verdict).toBe(second?.verdict);
  expect(JSON.stringify(first?.verdict)).not.toMatch(/evil-/);
});

test('a verdict that is asked again stays while thousands of others pass, and one that is not goes', () => {
  const memo = createVerdictMemo();
  const indicator = indicatorOf('evil.com');
  const listed = { source: SOURCES[0] as Source, matchType: 'exact', ofHost: false, prefixBits: 32 } as const;
  const verdictOf = (hoursAgo: number) => {
    const seenS = NOW_MS / 1_000 - hoursAgo * HOUR_S;
    const listing = listingOf({ ...listed, hoursAgo: 1, isDelisted: false }, indicator);
    const aged = { ...listing, firstSeenS: seenS, lastSeenS: seenS };
    return assess(memo, indicator, momentOf(answerOf([aged]))).verdict;
  };
  const [asked, forgotten] = [verdictOf(1), verdictOf(2)];
  for (let hours = 3; hours < 25_000; hours += 1) {
    verdictOf(hours);
    if (hours % 1_000 === 0) expect(verdictOf(1)).toBe(asked);
  }
  expect(verdictOf(2)).not.toBe(forgotten);
});

test('nothing is cached beyond the hour or beyond the state of the registry', () => {
  const memo = createVerdictMemo();
  const indicator = indicatorOf('evil.com');
  const judge = (nowMs: number, registry = REGISTRY) =>
    assess(memo, indicator, momentOf(answerOf([], registry), nowMs));
  const first = judge(NOW_MS);
  expect(judge(NOW_MS + 3_599_000).verdict).toBe(first.verdict);
  expect(judge(NOW_MS + 3_600_000).verdict).not.toBe(first.verdict);
  const before = judge(NOW_MS);
  const emptied = judge(NOW_MS, { version: '00000001', sources: [] });
  expect(emptied.verdict).not.toBe(before.verdict);
  expect([before.corpus.freshSources, emptied.corpus.freshSources]).toEqual([5, 0]);
  expect(emptied.snapshotId).not.toBe(before.snapshotId);
});

test('trap 14: a URL that names only a host is judged as that host, guards and all', () => {
  const [host, url] = [indicatorOf('evil.com'), indicatorOf('https://evil.com/')];
  const listings = [SOURCES[0], SOURCES[3]].map((source) =>
    listingOf(
      {
        source: source as Source,
        matchType: 'exact',
        ofHost: true,
        prefixBits: 32,
        hoursAgo: 1,
        isDelisted: false,
      },
      host,
    ),
  );
  const ofHost = assess(createVerdictMemo(), host, momentOf(answerOf(listings)));
  expect(assess(createVerdictMemo(), url, momentOf(answerOf(listings)))).toEqual(ofHost);
  expect(ofHost.context.guards).toMatchObject([{ guard: 'popularity', scope: 'itself' }]);
});
