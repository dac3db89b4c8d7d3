import { describe, expect, test } from 'vitest';
import { type CaseParts, CORPUS, caseOf, GRADE_A, guardedBy, listed, NOW_H } from './case.fixture.ts';
import { judgeCase } from './judge-case.ts';

const judged = (parts: CaseParts) => judgeCase(caseOf(parts));
const dataOf = (ageH: number) => ({ dataAtS: (NOW_H - ageH) * 3_600 });
const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;

describe('data trust (G9)', () => {
  test.each([
    [0, 'fresh'],
    [24, 'fresh'],
    [25, 'recent'],
    [168, 'recent'],
    [169, 'stale'],
  ])('data of %i hours ago is %s', (ageH, freshness) => {
    const listings = [listed('x', dataOf(ageH)), listed('y', dataOf(ageH + 5))];
    expect(judged({ listings }).trust).toMatchObject({ freshness, dataAgeHours: ageH });
    const corpus = { ...CORPUS, newestDataH: NOW_H - ageH };
    expect(judged({ corpus }).trust).toMatchObject({ freshness, dataAgeHours: ageH });
  });

  test('agreement counts independent origins and sums the best R of each (ruling 6)', () => {
    const agreement = (...rs: readonly (readonly [number, string])[]) => {
      const listings = rs.map(([reliability, lineage], n) => listed(`s${n}`, { reliability, lineage }));
      const { count, level } = judged({ listings }).trust.sourceAgreement;
      return [count, level];
    };
    expect(agreement()).toEqual([0, 'none']);
    expect(agreement([0.95, 'a'])).toEqual([1, 'weak']);
    expect(agreement([0.75, 'a'], [0.95, 'a'])).toEqual([1, 'weak']);
    expect(agreement([0.75, 'a'], [0.75, 'b'])).toEqual([2, 'moderate']);
    expect(agreement([0.95, 'a'], [0.75, 'b'], [0.75, 'c'])).toEqual([3, 'moderate']);
    expect(agreement([0.95, 'a'], [0.8, 'b'], [0.75, 'c'])).toEqual([3, 'strong']);
  });

  test('a measured cluster goes before the declared operator; an aggregate list does not add to agreement', () => {
    const listings = [
      listed('a', { lineage: 'x', cluster: 'measured' }),
      listed('b', { lineage: 'y', cluster: 'measured' }),
      listed('c', { aggregate: true }),
    ];
    expect(judged({ listings }).trust.sourceAgreement.count).toBe(1);
    const sums = [listed('c', { aggregate: true }), listed('d', { aggregate: true, reliability: 0.9 })];
    expect(judged({ listings: sums }).trust.sourceAgreement).toMatchObject({ count: 1, level: 'weak' });
  });

  test('former listings and neighbours add weight but not agreement', () => {
    const listings = [
      listed('a', {}, { isDelisted: true, ageH: 1 }),
      listed('b', {}, { matchType: 'page' }),
      listed('c', {}, { matchType: 'site' }),
    ];
    const { blocklistHits, trust, riskScore, evidence } = judged({ listings });
    expect([blocklistHits, trust.sourceAgreement.count, trust.sources, evidence.sourceSummary.count]).toEqual(
      [0, 0, [], 0],
    );
    expect(riskScore.factors.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(trust.sourceAgreement.weightedStrength).toBeCloseTo(0.541 + 0.268 + 0.214, 1);
  });

  test('each source with its reliability and its noise', () => {
    const rows = [
      listed('a', { reliability: 0.59, fpRisk: 'high', type: 'mixed' }),
      listed('b', { reliability: 0.6 }),
      listed('c', { reliability: 0.85, fpRisk: 'low', threatClass: 'infrastructure', category: 'cloud' }),
    ];
    expect(judged({ listings: rows }).trust.sources).toEqual([
      {
        name: 'a',
        type: 'mixed',
        category: 'bruteforce',
        threatClass: 'threat',
        reliability: 0.59,
        reliabilityLevel: 'low',
        noiseProfile: 'noisy',
      },
      expect.objectContaining({ reliabilityLevel: 'medium', noiseProfile: 'contextual' }),
      expect.objectContaining({
        category: 'cloud',
        threatClass: 'infrastructure',
        reliabilityLevel: 'high',
        noiseProfile: 'precise',
      }),
    ]);
  });

  test('the summary counts listings, the reliable ones, and warns of noise', () => {
    const listings = [
      listed('a', GRADE_A),
      listed('b', { fpRisk: 'high' }),
      listed('c', { aggregate: true }),
      listed('d', { category: 'never-heard-of' }),
    ];
    expect(judged({ listings }).evidence.sourceSummary).toMatchObject({
      count: 4,
      highReliabilityCount: 1,
      noiseWarnings: [
        'b is known to list harmless values too.',
        'c is made of other lists.',
        'd accuses of "never-heard-of", which counts as abuse.',
      ],
    });
  });

  test('providers agree, disagree, or leave it open', () => {
    const status = (parts: CaseParts) => judged(parts).trust.providerAgreement.status;
    expect(status({})).toBe('unknown');
    expect(status({ listings: [listed('a')] })).toBe('unknown');
    expect(status({ listings: [listed('a'), listed('b')] })).toBe('agreement');
    expect(status({ listings: [listed('a')], context: { guards: guardedBy('service') } })).toBe(
      'disagreement',
    );
  });
});

describe('contradictions (trap 16)', () => {
  const signals = (parts: CaseParts) =>
    judged(parts).evidence.contradictorySignals.map(({ type, severity }) => [type, severity]);
  const many = ['a', 'b', 'c'].map((id) => listed(id, { ...GRADE_A, category: 'malware' }));
  const weak = ['a', 'b', 'c'].map((id) =>
    listed(id, { letter: 'B', category: 'malware', fpRisk: 'low', reliability: 0.9 }),
  );

  test('severity rises with the level and with the grade of the accuser', () => {
    const context = { guards: guardedBy('popularity'), rankBucket: 100_000 } as const;
    expect(signals({ subject: DOMAIN, context, listings: many })).toEqual([['popular', 'high']]);
    expect(signals({ subject: DOMAIN, context, listings: weak })).toEqual([['popular', 'medium']]);
    const faint = [listed('a', { category: 'malware', fpRisk: 'high', letter: 'C' })];
    expect(signals({ subject: DOMAIN, context, listings: faint })).toEqual([['popular', 'low']]);
    const rare = { ...context, rankBucket: 1_000_000 } as const;
    expect(signals({ subject: DOMAIN, context: rare, listings: many })).toEqual([['popular', 'low']]);
  });

  test.each([
    ['service', 'service_range', 'high'],
    ['known-good', 'known_good', 'high'],
    ['scanner', 'research_scanner', 'medium'],
  ] as const)('%s speaks against an accusation as %s, severity %s', (guard, type, severity) => {
    const context = { guards: guardedBy(guard) };
    expect(signals({ context, listings: many })).toEqual([[type, severity]]);
    expect(signals({ context })).toEqual([]);
  });

  test('a shared exit address does not contradict an accusation', () => {
    const context = { guards: guardedBy('anonymity', 'shared-egress', 'platform') };
    expect(signals({ context, listings: many })).toEqual([]);
  });

  test('a voucher for a host does not contradict an accusation of its page', () => {
    const subject = { kind: 'url', value: 'https://shop.example/login' } as const;
    const context = { guards: guardedBy(['known-good', 'host']) };
    const listed2 = (matched: string) => [listed('a', { ...GRADE_A, category: 'phishing' }, { matched })];
    expect(signals({ subject, context, listings: listed2(subject.value) })).toEqual([]);
    expect(signals({ subject, context, listings: listed2('shop.example') })).toEqual([
      ['known_good', 'medium'],
    ]);
  });

  test('a delisting by one source while another keeps it is reported with low severity', () => {
    const listings = [listed('a'), listed('b', {}, { isDelisted: true, ageH: 5 })];
    expect(signals({ listings })).toEqual([['delisted_elsewhere', 'low']]);
    expect(signals({ listings: listings.slice(1) })).toEqual([]);
  });
});
