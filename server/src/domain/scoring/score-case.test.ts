import { describe, expect, test } from 'vitest';
import { type CaseParts, caseOf, GRADE_A, guardedBy, listed, listingOf, SUBJECT } from './case.fixture.ts';
import type { ContextFacts, GuardName, ListingFacts } from './facts.ts';
import { scoreCase } from './score-case.ts';

const DROP = { asn: 64_500, sourceId: 'asn-drop', sourceName: 'ASN-DROP' } as const;
const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;
const PAGE = { kind: 'url', value: 'https://shop.example/login' } as const;

const phishing = (id = 'lures', settings = {}, entry = {}) =>
  listed(id, { category: 'phishing', fpRisk: 'low', ...settings }, entry);

function scored(parts: CaseParts): readonly [number, Record<string, number>] {
  const { score, adjustments } = scoreCase(caseOf(parts));
  return [score, Object.fromEntries(adjustments.map(({ name, contribution }) => [name, contribution]))];
}

describe('context takes away the points of scoring 5', () => {
  const one = (category: string): readonly ListingFacts[] => [
    listed('one', { category, fpRisk: 'low', reliability: 0.9 }),
  ];
  /** One good list gives 75 points, of attacks and noise 50; each column is what a critical, attack or nuisance listing keeps. */
  test.each<[GuardName, ContextFacts['rankBucket'], string, readonly number[]]>([
    ['service', null, 'service_range', [50, 19, 19]],
    ['shared-egress', null, 'shared_egress', [67, 34, 34]],
    ['anonymity', null, 'anonymity_network', [75, 50, 50]],
    ['known-good', null, 'known_good', [67, 50, 50]],
    ['popularity', 1_000, 'popular', [50, 13, 13]],
    ['popularity', 10_000, 'popular', [56, 24, 24]],
    ['popularity', 100_000, 'popular', [67, 50, 50]],
    ['popularity', 1_000_000, 'popular', [75, 50, 50]],
  ])('%s (rank %s) as %s', (guard, rankBucket, name, left) => {
    // Grade A avoids the cap for uncorroborated accusations of popular sites.
    const listingsOf = (category: string) =>
      one(category).map((listing) => ({ ...listing, source: { ...listing.source, letter: 'A' } }));
    const answers = ['malware', 'bruteforce', 'spam'].map((category) =>
      scored({ listings: listingsOf(category), context: { guards: guardedBy(guard), rankBucket } }),
    );
    const plain = ['malware', 'bruteforce', 'spam'].map(
      (category) => scored({ listings: listingsOf(category) })[0],
    );
    expect(plain).toEqual([75, 50, 50]);
    expect(answers.map(([score]) => score)).toEqual(left);
    for (const [index, [score, parts]] of answers.entries())
      expect(parts[name] ?? 0).toBe(score - (plain[index] as number));
  });
});

describe('caps, floors and the network', () => {
  test('a research scanner never scores above 34 for what scanners do, and never above 59 at all', () => {
    const scanning = ['a', 'b', 'c', 'd'].map((id) => listed(id, { fpRisk: 'low', category: 'scanner' }));
    const context = { guards: guardedBy('scanner') };
    expect(scored({ listings: scanning, context })).toEqual([34, { research_scanner: -26 }]);
    const [withMalware] = scored({
      listings: [...scanning, phishing('x', { category: 'malware' })],
      context,
    });
    expect(withMalware).toBe(59);
  });

  test('inside a service range a source of grade A never leaves less than 10, one other origin leaves nothing', () => {
    const faint = { ageH: 2 + 24 * 30 };
    const context = { guards: guardedBy('service') };
    const answer = (letter: string) =>
      scored({ listings: [listed('x', { ...GRADE_A, letter }, faint)], context });
    expect(answer('B')).toEqual([0, { service_range: -10, service_uncorroborated: -2 }]);
    expect(answer('A')).toEqual([10, { service_range: -10, grade_a_floor: 8 }]);
    const left = listed('x', GRADE_A, { ...faint, isDelisted: true });
    expect(scored({ listings: [left], context })[0]).toBeLessThan(10);
  });

  test('an aggregate with a slightly higher score does not remove the floor of grade A', () => {
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
    expect(popular(phishing())).toEqual([34, { popular: -8, popular_uncorroborated: -17 }]);
    expect(popular(phishing('a', { lineage: 'x' }), phishing('b', { lineage: 'x' }))[0]).toBe(34);
    expect(popular(phishing('a'), listed('sum', { aggregate: true, category: 'malware' }))[0]).toBe(34);
    expect(popular(phishing('a'), phishing('b'))[0]).toBe(59);
    expect(popular(phishing('a', GRADE_A))[0]).toBe(51);
    const page = listed('pages', { ...GRADE_A, category: 'malware' }, { matchType: 'page' });
    expect(popular(phishing('a'), page)[0], 'a neighbour corroborates nothing').toBe(34);
    const rare = { guards: guardedBy('popularity'), rankBucket: 1_000_000 } as const;
    expect(scored({ subject: DOMAIN, listings: [phishing()], context: rare })).toEqual([59, {}]);
  });

  test('names below a domain never make it more than low', () => {
    const below = Array.from({ length: 12 }, (_, n) => phishing(`l${n}`, GRADE_A, { matchType: 'child' }));
    expect(scored({ subject: DOMAIN, listings: below })).toEqual([34, { only_below: -23 }]);
    expect(scored({ subject: DOMAIN, listings: [...below, phishing()] })[0]).toBe(79);
  });

  test('pages of strangers do not count against a platform; pages of a tenant count against the tenant', () => {
    const page = phishing('a', GRADE_A, { matchType: 'page' });
    const platform = { guards: guardedBy('platform'), platform: 'pages.example' };
    expect(scored({ subject: DOMAIN, listings: [page], context: platform })).toEqual([0, {}]);
    const tenant = { guards: [], platform: 'pages.example' };
    expect(scored({ subject: DOMAIN, listings: [page], context: tenant })).toEqual([32, {}]);
  });

  test('a criminal network adds five points, lifts no score below low above 14 and adds nothing to a score of zero', () => {
    const aged = (ageH: number) => scored({ listings: [listed('x', {}, { ageH })], asn: DROP });
    expect(aged(0)).toEqual([47, { asn_listed: 5 }]);
    expect(aged(24 * 26 + 2)).toEqual([14, { asn_listed: 5 }]);
    expect(scored({ listings: [listed('x', { letter: 'C' }, { ageH: 24 * 90 })], asn: DROP })).toEqual([
      0,
      {},
    ]);
    expect(scored({ asn: DROP })).toEqual([0, {}]);
    const most = ['a', 'b', 'c', 'd'].map((id) => phishing(id, GRADE_A));
    expect(scored({ listings: most, asn: DROP })).toEqual([100, { asn_listed: 1 }]);
  });

  test('a network adds nothing to a subject that a guard calls shared', () => {
    const context = { guards: guardedBy('anonymity') };
    expect(scored({ listings: [listed('x')], asn: DROP, context })[1]).toEqual({ anonymity_network: -14 });
  });

  test('a guard of the host does not attenuate a listing of the page, but does attenuate a listing of the host', () => {
    const context = { guards: guardedBy(['popularity', 'host']), rankBucket: 1_000 } as const;
    const ofPage = phishing('a', {}, { matched: PAGE.value });
    const ofHost = phishing('b', {}, { matched: 'shop.example' });
    expect(scored({ subject: PAGE, listings: [ofPage], context })).toEqual([56, {}]);
    expect(scored({ subject: PAGE, listings: [ofHost], context })[1]).toMatchObject({ popular: -23 });
    const itself = { guards: guardedBy('known-good'), rankBucket: null };
    expect(scored({ subject: PAGE, listings: [ofPage], context: itself })[1]).toEqual({ known_good: -7 });
  });

  test('a research scanner guard on a host does not cap accusations of a page on it', () => {
    const context = { guards: guardedBy(['scanner', 'host']) };
    const accused = (matched: string) => [phishing('a', { category: 'scam' }, { matched })];
    expect(scored({ subject: PAGE, listings: accused(PAGE.value), context })).toEqual([50, {}]);
    expect(scored({ subject: PAGE, listings: accused('shop.example'), context })[0]).toBe(34);
  });

  test('a listing of the well-known host never turns a page listing of the same operator into an echo', () => {
    const context = { guards: guardedBy(['popularity', 'host']), rankBucket: 1_000 } as const;
    const settings = { lineage: 'x', category: 'scam' };
    const ofPage = phishing('a', { ...settings, reliability: 0.7 }, { matched: PAGE.value });
    const ofHost = phishing('b', { ...settings, reliability: 0.9 }, { matched: 'shop.example' });
    const [alone] = scored({ subject: PAGE, listings: [ofPage], context });
    const [both] = scored({ subject: PAGE, listings: [ofPage, ofHost], context });
    expect(both).toBeGreaterThanOrEqual(alone);
  });

  test('a known-good file keeps 2 % of its accusations', () => {
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
    expect(scored({ listings: [listed('x', {}, left)] })[0]).toBe(18);
    expect(scored({ listings: [listed('x', {}, { ageH: 24 * 13 + 2 })] })[0]).toBe(19);
    expect(scored({ listings: [listed('x', {}, { ageH: 2 })] })[0]).toBe(42);
  });

  test('aggregate lists never add points; the best one counts where no other source does', () => {
    const sum = (id: string, reliability: number) =>
      listed(id, { aggregate: true, reliability, fpRisk: 'low' });
    const counted = (...listings: ListingFacts[]) =>
      scoreCase(caseOf({ listings })).counted.map(({ opinion }) => opinion.sourceId);
    expect(counted(sum('a', 0.3), sum('b', 0.4), sum('c', 0.9))).toEqual(['b']);
    expect(counted(sum('a', 0.4), listed('own'))).toEqual(['own']);
    // A weaker listing that joins does not silence the aggregate that counted before (ruling 4, kept monotone).
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

  test('the guard that takes most points is named, and several guards do not multiply', () => {
    const context = { guards: guardedBy('service', 'anonymity') };
    expect(scored({ listings: [listed('x')], context })).toEqual([
      0,
      { service_range: -34, service_uncorroborated: -8 },
    ]);
  });
});
