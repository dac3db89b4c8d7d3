import { describe, expect, test } from 'vitest';
import { type CaseParts, caseOf, GRADE_A, guardedBy, listed, listingOf, SUBJECT } from './case.fixture.ts';
import type { ContextFacts, GuardName, ListingFacts } from './facts.ts';
import { scoreCase } from './score-case.ts';

const DROP = { asn: 64_500, sourceId: 'asn-drop', sourceName: 'ASN-DROP' } as const;
const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;
const PAGE = { kind: 'url', value: 'https://shop.example/login' } as const;

const phishing = (id = 'lures', settings = {}, entry = {}) =>
  listed(id, { category: 'phishing', fpRisk: 'low', ...settings }, entry);

/** Score, and every adjustment by name. */
function scored(parts: CaseParts): readonly [number, Record<string, number>] {
  const { score, adjustments } = scoreCase(caseOf(parts));
  return [score, Object.fromEntries(adjustments.map(({ name, contribution }) => [name, contribution]))];
}

describe('context takes away what section 5 says', () => {
  const one = (category: string): readonly ListingFacts[] => [
    listed('one', { category, fpRisk: 'low', reliability: 0.9 }),
  ];
  /** Of 75 points that one good list gives: what is left of a critical, an attack and a nuisance accusation. */
  test.each<[GuardName, ContextFacts['rankBucket'], string, readonly number[]]>([
    ['service', null, 'service_range', [50, 19, 19]],
    ['shared-egress', null, 'shared_egress', [67, 34, 34]],
    ['anonymity', null, 'anonymity_network', [75, 56, 56]],
    ['known-good', null, 'known_good', [67, 50, 50]],
    ['popularity', 1_000, 'popular', [50, 13, 13]],
    ['popularity', 10_000, 'popular', [56, 24, 24]],
    ['popularity', 100_000, 'popular', [67, 50, 50]],
    ['popularity', 1_000_000, 'popular', [75, 67, 60]],
  ])('%s (rank %s) as %s', (guard, rankBucket, name, left) => {
    // Grade A keeps the cap for uncorroborated accusations of popular sites out of the way.
    const listingsOf = (category: string) =>
      one(category).map((listing) => ({ ...listing, source: { ...listing.source, letter: 'A' } }));
    const answers = ['malware', 'bruteforce', 'spam'].map((category) =>
      scored({ listings: listingsOf(category), context: { guards: guardedBy(guard), rankBucket } }),
    );
    const plain = ['malware', 'bruteforce', 'spam'].map(
      (category) => scored({ listings: listingsOf(category) })[0],
    );
    expect(plain).toEqual([75, 75, 60]);
    expect(answers.map(([score]) => score)).toEqual(left);
    for (const [index, [score, parts]] of answers.entries())
      expect(parts[name] ?? 0).toBe(score - (plain[index] as number));
  });
});

describe('caps, floors and the network', () => {
  test('a research scanner never scores above 34 for what scanners do; malware on it still counts', () => {
    const scanning = ['a', 'b', 'c', 'd'].map((id) => listed(id, { fpRisk: 'low', category: 'scanner' }));
    const context = { guards: guardedBy('scanner') };
    expect(scored({ listings: scanning, context })).toEqual([34, { research_scanner: -26 }]);
    const [withMalware] = scored({
      listings: [...scanning, phishing('x', { category: 'malware' })],
      context,
    });
    expect(withMalware).toBe(71);
  });

  test('inside a service range a source of grade A never leaves less than 10, any other may', () => {
    const faint = { ageH: 24 * 7 };
    const context = { guards: guardedBy('service') };
    const answer = (letter: string) =>
      scored({ listings: [listed('x', { ...GRADE_A, letter }, faint)], context });
    expect(answer('B')).toEqual([2, { service_range: -10 }]);
    expect(answer('A')).toEqual([10, { service_range: -10, grade_a_floor: 8 }]);
    const left = listed('x', GRADE_A, { ...faint, isDelisted: true });
    expect(scored({ listings: [left], context })[0]).toBeLessThan(10);
  });

  test('an aggregate that says a little more does not take the floor of grade A away', () => {
    const context = { guards: guardedBy('service') };
    const graded = listed('x', GRADE_A, { ageH: 24 * 7 });
    const aggregate = listed('y', { aggregate: true, reliability: 0.25, category: 'malware', fpRisk: 'low' });
    const [before] = scored({ listings: [graded], context });
    const [after] = scored({ listings: [graded, aggregate], context });
    expect([before, after]).toEqual([10, 10]);
  });

  test('a popular site that one origin accuses stays low; a second origin or grade A lifts the cap', () => {
    const context = { guards: guardedBy('popularity'), rankBucket: 100_000 } as const;
    const popular = (...listings: ListingFacts[]) => scored({ subject: DOMAIN, listings, context });
    expect(popular(phishing())).toEqual([34, { popular: -7, popular_uncorroborated: -15 }]);
    expect(popular(phishing('a', { lineage: 'x' }), phishing('b', { lineage: 'x' }))[0]).toBe(34);
    expect(popular(phishing('a'), listed('sum', { aggregate: true, category: 'malware' }))[0]).toBe(34);
    expect(popular(phishing('a'), phishing('b'))[0]).toBe(74);
    expect(popular(phishing('a', GRADE_A))[0]).toBe(76);
    const page = listed('pages', { ...GRADE_A, category: 'malware' }, { matchType: 'page' });
    expect(popular(phishing('a'), page)[0], 'a neighbour corroborates nothing').toBe(34);
    const rare = { guards: guardedBy('popularity'), rankBucket: 1_000_000 } as const;
    expect(scored({ subject: DOMAIN, listings: [phishing()], context: rare })).toEqual([56, {}]);
  });

  test('names below a domain never make it more than low', () => {
    const below = Array.from({ length: 12 }, (_, n) => phishing(`l${n}`, GRADE_A, { matchType: 'child' }));
    expect(scored({ subject: DOMAIN, listings: below })).toEqual([34, { only_below: -52 }]);
    expect(scored({ subject: DOMAIN, listings: [...below, phishing()] })[0]).toBe(94);
  });

  test('what strangers do on a platform is not held against it; a tenant answers for its pages', () => {
    const page = phishing('a', GRADE_A, { matchType: 'page' });
    const platform = { guards: guardedBy('platform'), platform: 'pages.example' };
    expect(scored({ subject: DOMAIN, listings: [page], context: platform })).toEqual([0, {}]);
    const tenant = { guards: [], platform: 'pages.example' };
    expect(scored({ subject: DOMAIN, listings: [page], context: tenant })).toEqual([32, {}]);
  });

  test('a network of criminals adds five points, lifts nothing safe above 14 and makes nothing of nothing', () => {
    const aged = (ageH: number) => scored({ listings: [listed('x', {}, { ageH })], asn: DROP });
    expect(aged(0)).toEqual([47, { asn_listed: 5 }]);
    expect(aged(24 * 6 + 2)).toEqual([14, { asn_listed: 5 }]);
    expect(aged(24 * 30)).toEqual([0, {}]);
    expect(scored({ asn: DROP })).toEqual([0, {}]);
    const most = ['a', 'b', 'c', 'd'].map((id) => phishing(id, GRADE_A));
    expect(scored({ listings: most, asn: DROP })).toEqual([100, { asn_listed: 1 }]);
  });

  test('a network never adds to what a guard says many share', () => {
    const context = { guards: guardedBy('anonymity') };
    expect(scored({ listings: [listed('x')], asn: DROP, context })[1]).toEqual({ anonymity_network: -14 });
  });

  test('a good host does not excuse the page that is accused, and a listed host is still excused', () => {
    const context = { guards: guardedBy(['popularity', 'host']), rankBucket: 1_000 } as const;
    const ofPage = phishing('a', {}, { matched: PAGE.value });
    const ofHost = phishing('b', {}, { matched: 'shop.example' });
    expect(scored({ subject: PAGE, listings: [ofPage], context })).toEqual([56, {}]);
    expect(scored({ subject: PAGE, listings: [ofHost], context })[1]).toMatchObject({ popular: -22 });
    const itself = { guards: guardedBy('known-good'), rankBucket: null };
    expect(scored({ subject: PAGE, listings: [ofPage], context: itself })[1]).toEqual({ known_good: -7 });
  });

  test('that a host scans for research does not cap what a page on it is accused of', () => {
    const context = { guards: guardedBy(['scanner', 'host']) };
    const accused = (matched: string) => [phishing('a', { category: 'scam' }, { matched })];
    expect(scored({ subject: PAGE, listings: accused(PAGE.value), context })).toEqual([56, {}]);
    expect(scored({ subject: PAGE, listings: accused('shop.example'), context })[0]).toBe(34);
  });

  test('a listing of the good host never pushes one of the page by the same operator into the echo', () => {
    const context = { guards: guardedBy(['popularity', 'host']), rankBucket: 1_000 } as const;
    const settings = { lineage: 'x', category: 'scam' };
    const ofPage = phishing('a', { ...settings, reliability: 0.7 }, { matched: PAGE.value });
    const ofHost = phishing('b', { ...settings, reliability: 0.9 }, { matched: 'shop.example' });
    const [alone] = scored({ subject: PAGE, listings: [ofPage], context });
    const [both] = scored({ subject: PAGE, listings: [ofPage, ofHost], context });
    expect(both).toBeGreaterThanOrEqual(alone);
  });

  test('a file that is known to be good keeps 2 % of what it is accused of', () => {
    const subject = { kind: 'hash', value: SUBJECT.value } as const;
    const listings = [phishing('samples', { ...GRADE_A, category: 'malware' }, { ageH: 24 * 400 })];
    expect(scored({ subject, listings })).toEqual([83, {}]);
    expect(scored({ subject, listings, context: { guards: guardedBy('known-good') } })).toEqual([
      4,
      { known_good: -79 },
    ]);
  });

  test('a file leaves at once when its source drops it; an address fades from that hour, without grace', () => {
    const left = { isDelisted: true, ageH: 24 };
    expect(scored({ subject: { kind: 'hash', value: 'x' }, listings: [listed('x', {}, left)] })[0]).toBe(0);
    expect(scored({ listings: [listed('x', {}, left)] })[0]).toBe(32);
    expect(scored({ listings: [listed('x', {}, { ageH: 24 })] })[0]).toBe(33);
    expect(scored({ listings: [listed('x', {}, { ageH: 2 })] })[0]).toBe(42);
  });

  test('lists of lists never add: the best one speaks where no other source does', () => {
    const sum = (id: string, reliability: number) =>
      listed(id, { aggregate: true, reliability, fpRisk: 'low' });
    const counted = (...listings: ListingFacts[]) =>
      scoreCase(caseOf({ listings })).counted.map(({ opinion }) => opinion.sourceId);
    expect(counted(sum('a', 0.3), sum('b', 0.4), sum('c', 0.9))).toEqual(['b']);
    expect(counted(sum('a', 0.4), listed('own'))).toEqual(['own']);
    // Ruling 4, kept monotone: a fainter listing that joins does not silence what was heard before.
    expect(counted(sum('a', 0.4), listed('own', {}, { ageH: 24 * 12 }))).toEqual(['a']);
  });

  test('a source that lists an address and its range has one opinion, its strongest', () => {
    const source = listed('x').source;
    const range = { ...listed('x', {}, { matchType: 'cidr', prefixBits: 24 }), source };
    for (const listings of [
      [listingOf(source), range],
      [range, listingOf(source)],
    ])
      expect(scored({ listings })[0]).toBe(42);
  });

  test.each([
    [4, 32, 42],
    [4, 24, 15],
    [4, 16, 6],
    [4, 0, 4],
    [4, 48, 42],
    [6, 128, 42],
    [6, 64, 42],
    [6, 48, 15],
    [6, 32, 6],
    [6, 0, 4],
  ] as const)('an observed IPv%i range of /%i leaves %i of 42 points', (ipVersion, prefixBits, left) => {
    const subject = { kind: 'ip', value: 'x', ipVersion } as const;
    const entry = { matchType: 'cidr', prefixBits } as const;
    expect(scored({ subject, listings: [listed('x', {}, entry)] })[0]).toBe(left);
    const owned = listed('x', { cidrSemantics: 'owned' }, { ...entry, ageH: 9_000 });
    expect(scored({ subject, listings: [owned] })[0]).toBe(42);
  });

  test('of several guards the one that takes most is named, and they do not multiply', () => {
    const context = { guards: guardedBy('service', 'anonymity') };
    expect(scored({ listings: [listed('x')], context })).toEqual([8, { service_range: -34 }]);
  });
});
