import { describe, expect, test } from 'vitest';
import {
  type CaseParts,
  CORPUS,
  caseOf,
  GRADE_A,
  guardedBy,
  listed,
  NOW_H,
  SUBJECT,
} from './case.fixture.ts';
import type { ListingFacts } from './facts.ts';
import { judgeCase } from './judge-case.ts';
import type { Verdict } from './verdict.ts';

const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;
const PAGE = { kind: 'url', value: 'https://shop.example/login' } as const;
const HASH = { kind: 'hash', value: SUBJECT.value } as const;
const FAR = { matchType: 'cidr', prefixBits: 16 } as const;
const LEFT = { isDelisted: true, ageH: 48 } as const;

const judged = (parts: CaseParts): Verdict => judgeCase(caseOf(parts));
const malware = (id: string, settings = {}, entry = {}): ListingFacts =>
  listed(id, { ...GRADE_A, category: 'malware', ...settings }, entry);
const goodList = (settings = {}) =>
  listed('known-good-list', { threatClass: 'allowlist', category: 'known-good', letter: 'C', ...settings });

const gist = ({ riskScore, evidence, classification }: Verdict) => [
  riskScore.score,
  riskScore.level,
  riskScore.word,
  evidence.verdict,
  evidence.recommendedAction,
  classification.primary,
];

describe('subjects that no source accuses', () => {
  test('never seen is not clean (ruling 7)', () => {
    for (const subject of [SUBJECT, DOMAIN, PAGE]) {
      const verdict = judged({ subject });
      expect(gist(verdict)).toEqual([0, 'inconclusive', 'Not listed', 'unknown', 'unverified', 'unknown']);
      expect(verdict.evidence.reasons).toEqual([
        'Not listed by 12 fresh sources, which is not proof of good.',
      ]);
      expect(verdict.riskScore.factors).toEqual([]);
      expect(verdict.confidence).toMatchObject({ score: 55, level: 'medium' });
    }
  });

  test('a file that no source has seen is inconclusive and unverified', () => {
    const verdict = judged({ subject: HASH });
    expect(gist(verdict)).toEqual([0, 'inconclusive', 'Not seen', 'unknown', 'unverified', 'unknown']);
    expect(verdict.evidence.reasons).toEqual([
      'Not seen by 12 fresh sources: absence of evidence, not a clean verdict.',
    ]);
  });

  test('with no source loaded for the kind the answer is inconclusive, and the reason says what to do', () => {
    const corpus = { ...CORPUS, coverage: 0, corpusFresh: 0, freshSources: 0, newestDataH: 0 };
    const verdict = judged({ subject: DOMAIN, corpus });
    expect(gist(verdict)).toEqual([0, 'inconclusive', 'No data', 'unknown', 'unverified', 'unknown']);
    expect(verdict.evidence.reasons).toEqual([
      'No source for this kind is loaded: run feeds import or the worker.',
    ]);
    expect([verdict.confidence.score, verdict.trust.freshness, verdict.trust.dataAgeHours]).toEqual([
      0,
      'unknown',
      null,
    ]);
    // A listing of a stale source still counts.
    expect(judged({ corpus, listings: [listed('x')] }).riskScore.level).toBe('medium');
    const context = { guards: guardedBy('known-good') };
    expect(judged({ subject: DOMAIN, corpus, context, listings: [goodList()] }).riskScore.level).toBe('safe');
  });

  test('a private address is safe and has no factors, even when ranges around it are listed', () => {
    const context = { isReserved: true };
    const verdict = judged({ context });
    expect(gist(verdict)).toEqual([0, 'safe', 'Reserved address', 'safe', 'not-applicable', 'safe']);
    expect(verdict.evidence.reasons).toEqual([
      'A private or reserved address: reputation does not apply to it.',
    ]);
    const listings = [malware('x', { signal: 'scanner' })];
    const named = judged({ context, listings });
    expect(gist(named)).toEqual([0, 'safe', 'Reserved address', 'safe', 'not-applicable', 'safe']);
    expect([named.malicious, named.riskScore.factors, named.techniques]).toEqual([false, [], []]);
    expect(named.evidence.reasons[1]).toBe('Listed by x, which is not counted.');
  });

  test('a subject with a voucher is allowed, and the reason names the voucher', () => {
    const popular = judged({
      subject: DOMAIN,
      context: { guards: guardedBy('popularity'), rankBucket: 10_000 },
    });
    expect(gist(popular)).toEqual([0, 'safe', 'Popular site', 'safe', 'allow', 'safe']);
    expect(popular.evidence.reasons).toEqual([
      'It is among the 10,000 most visited sites.',
      'Not listed as a threat by 12 fresh sources.',
    ]);
    expect(popular.confidence).toMatchObject({ score: 90, level: 'high' });
    const file = judged({
      subject: HASH,
      context: { guards: guardedBy('known-good') },
      listings: [goodList({ name: 'Empty files' })],
    });
    expect(gist(file)).toEqual([0, 'safe', 'Known good', 'safe', 'allow', 'safe']);
    expect(file.evidence.reasons[0]).toBe('Empty files knows it as good.');
  });

  test('a voucher for a host does not vouch for a page on it', () => {
    const context = { guards: guardedBy(['popularity', 'host']), rankBucket: 1_000 } as const;
    const verdict = judged({ subject: PAGE, context });
    expect(gist(verdict)).toEqual([0, 'inconclusive', 'Not listed', 'unknown', 'unverified', 'unknown']);
    expect(verdict.evidence.reasons[1]).toBe('Its host has a good name, which says nothing of the page.');
    // A URL without a path is judged as its host (trap 14), so vouchers for the host apply to it.
    expect(judged({ subject: DOMAIN, context }).evidence.recommendedAction).toBe('allow');
  });
});

describe('recommended actions (O49)', () => {
  const two = [malware('a'), malware('b')];
  test.each<[string, CaseParts, string]>([
    ['critical is blocked', { listings: two }, 'block'],
    ['high is blocked', { listings: [malware('a')] }, 'block'],
    ['medium is reviewed', { listings: [listed('a')] }, 'review'],
    ['low is watched', { listings: [listed('a', { reliability: 0.4 })] }, 'monitor'],
    ['listed but weak is watched', { listings: [listed('a', { fpRisk: 'high' }, FAR)] }, 'monitor'],
    ['listed long ago is watched', { listings: [listed('a', {}, { ageH: 9_000 })] }, 'monitor'],
    ['formerly listed is watched', { listings: [listed('a', {}, { ...LEFT, ageH: 200 })] }, 'monitor'],
    [
      'an ad list alone is watched',
      { subject: DOMAIN, listings: [listed('a', { adOnly: true })] },
      'monitor',
    ],
    [
      'critical is blocked, also where a list knows it as good',
      { listings: [...two, malware('c')], context: { guards: guardedBy('known-good') } },
      'block',
    ],
    [
      'critical inside a service range is escalated',
      { listings: two, context: { guards: guardedBy('service') } },
      'escalate',
    ],
    [
      'critical at rank 900,000 is blocked: that rank takes no points away either',
      {
        subject: DOMAIN,
        listings: two,
        context: { guards: guardedBy('popularity'), rankBucket: 1_000_000 },
      },
      'block',
    ],
    [
      'low with a signal in its favour is reviewed',
      { listings: [listed('a')], context: { guards: guardedBy('scanner') } },
      'review',
    ],
    [
      'safe, listed and known to be good is allowed',
      {
        listings: [listed('a', {}, { ageH: 24 * 60 })],
        context: { guards: guardedBy('known-good') },
      },
      'allow',
    ],
    [
      'low is not reviewed because another list dropped it',
      { listings: [listed('a', { reliability: 0.4 }), listed('b', { reliability: 0.2 }, LEFT)] },
      'monitor',
    ],
  ])('%s', (_, parts, action) => {
    const verdict = judged(parts);
    expect(verdict.evidence.recommendedAction).toBe(action);
  });
});

describe('the traps of a check', () => {
  test('1: 42 feeds without a scanner are 42 hits and high or critical, never malicious', () => {
    const listings = Array.from({ length: 42 }, (_, n) => listed(`feed-${n}`, { reliability: 0.5 }));
    const verdict = judged({ listings, corpus: { ...CORPUS, freshScanners: 2 } });
    expect([verdict.malicious, verdict.blocklistHits]).toEqual([false, 42]);
    expect(['high', 'critical']).toContain(verdict.riskScore.level);
    expect(verdict.reputation).toEqual({ malicious: 0, suspicious: 0, harmless: 0, undetected: 2 });
    expect(verdict.evidence.reasons.at(-1)).toBe(
      'No scanner-type source names it now: lists alone do not set `malicious`.',
    );
  });

  test('2: a cloud range changes neither the hits nor the score', () => {
    const cloud = listed('clouds', { threatClass: 'infrastructure', category: 'cloud' }, FAR);
    const verdict = judged({ listings: [cloud] });
    expect(verdict.blocklistHits).toBe(0);
    expect(verdict.riskScore).toEqual(judged({}).riskScore);
    expect(gist(verdict)).toEqual(gist(judged({})));
    expect(verdict.evidence.reasons).toHaveLength(2);
  });

  test('4: an ad list is shown and counts nowhere', () => {
    const verdict = judged({ subject: DOMAIN, listings: [listed('ads', { adOnly: true, category: 'ads' })] });
    expect([verdict.blocklistHits, verdict.riskScore.score, verdict.categories]).toEqual([0, 0, []]);
    expect(verdict.trust.sources.map(({ name }) => name)).toEqual(['ads']);
    expect(verdict.classification.primary).toBe('tracking');
  });

  test('16: a subject that one list calls good and another accuses is counted, and the contradiction is reported', () => {
    for (const guards of [guardedBy('known-good'), []]) {
      const verdict = judged({ subject: DOMAIN, context: { guards }, listings: [malware('x'), goodList()] });
      expect(verdict.blocklistHits).toBe(1);
      expect(verdict.riskScore.score).toBeGreaterThan(0);
      expect(verdict.evidence.contradictorySignals).toHaveLength(1);
      expect(verdict.trust.providerAgreement.status).toBe('disagreement');
      expect(verdict.trust.providerAgreement.contradictorySignals).toEqual(
        verdict.evidence.contradictorySignals,
      );
    }
  });

  test('16a: one weak listing without an engine is never allowed and never described as safe', () => {
    for (const entry of [FAR, { ageH: 9_000 }, {}]) {
      const verdict = judged({ listings: [listed('x', { fpRisk: 'high', reliability: 0.2 }, entry)] });
      expect(verdict.reputation).toEqual({ malicious: 0, suspicious: 0, harmless: 0, undetected: 0 });
      expect(verdict.evidence.recommendedAction).not.toBe('allow');
      expect(verdict.evidence.verdict).not.toBe('safe');
      expect(verdict.classification.primary).not.toBe('safe');
      expect([verdict.riskScore.summary, ...verdict.evidence.reasons].join()).not.toMatch(/safe|clean/);
    }
  });
});

describe('files that are neither good nor bad (O53)', () => {
  const eicar = () => malware('EICAR test file', { category: 'test', signal: 'scanner' });

  test('the EICAR test file is malicious and high, and the reason says that it is harmless', () => {
    for (const listings of [[eicar()], [eicar(), malware('samples', { signal: 'scanner' })]]) {
      const verdict = judged({ subject: HASH, listings });
      const { malicious, riskScore, evidence } = verdict;
      expect([malicious, riskScore.level, riskScore.word, evidence.recommendedAction]).toEqual([
        true,
        'high',
        'Test file',
        'block',
      ]);
      expect(verdict.categories).toContain('test');
      expect(verdict.evidence.reasons[0]).toBe('EICAR test file: harmless, made to be detected.');
    }
  });

  test('the empty file is inconclusive, never known good', () => {
    const empty = listed('Empty files', { threatClass: 'infrastructure', category: 'empty-file' });
    const listings = [empty, goodList()];
    const { riskScore, evidence } = judged({
      subject: HASH,
      listings,
      context: { guards: guardedBy('known-good') },
    });
    expect([riskScore.level, riskScore.word, evidence.recommendedAction]).toEqual([
      'inconclusive',
      'Empty file',
      'ignore',
    ]);
  });
});

describe('one ladder (O49, O51)', () => {
  const popular = { guards: guardedBy('platform', 'popularity'), rankBucket: 1_000 } as const;
  const platform = { ...popular, isTenantSuffix: true };
  test.each<[string, CaseParts, readonly [string, string, string]]>([
    [
      'two lists of grade A',
      { listings: [malware('a'), malware('b')] },
      ['critical', 'Critical risk', 'block'],
    ],
    ['one list of grade A', { listings: [malware('a')] }, ['high', 'High risk', 'block']],
    ['one list of grade B', { listings: [listed('a')] }, ['medium', 'Suspicious', 'review']],
    ['one faint list', { listings: [listed('a', { reliability: 0.4 })] }, ['low', 'Reported', 'monitor']],
    [
      'a list of grade B of long ago',
      { listings: [listed('a', {}, { ageH: 9_000 })] },
      ['low', 'Reported', 'monitor'],
    ],
    [
      'a list of grade C of long ago',
      { listings: [listed('a', { letter: 'C' }, { ageH: 9_000 })] },
      ['inconclusive', 'Old report', 'monitor'],
    ],
    [
      'a former listing that has nearly faded',
      { listings: [listed('a', {}, { ...LEFT, ageH: 24 * 60 })] },
      ['inconclusive', 'Old report', 'monitor'],
    ],
    [
      'a noisy list of its /16',
      { listings: [listed('a', { fpRisk: 'high' }, FAR)] },
      ['inconclusive', 'Weak report', 'monitor'],
    ],
    [
      'an ad list',
      { subject: DOMAIN, listings: [listed('a', { adOnly: true })] },
      ['inconclusive', 'Tracking only', 'monitor'],
    ],
    [
      'a popular platform',
      { subject: DOMAIN, context: platform },
      ['inconclusive', 'Platform: judge the name below it', 'unverified'],
    ],
    [
      'a popular site whose customers have pages, not names',
      { subject: DOMAIN, context: popular },
      ['safe', 'Popular site', 'allow'],
    ],
    [
      'a page on a platform is judged itself',
      { subject: PAGE, context: { guards: guardedBy(['platform', 'host']), isTenantSuffix: true } },
      ['inconclusive', 'Not listed', 'unverified'],
    ],
  ])('%s', (_, parts, expected) => {
    const { riskScore, evidence } = judged(parts);
    expect([riskScore.level, riskScore.word, evidence.recommendedAction]).toEqual(expected);
  });

  test('confidence rates the answer that is given: a vouched-for name with a faded accusation', () => {
    const { riskScore, confidence } = judged({
      subject: DOMAIN,
      context: { guards: guardedBy('popularity'), rankBucket: 1_000 },
      listings: [listed('a', { letter: 'C', category: 'spam' }, { ageH: 24 * 60 })],
    });
    expect([riskScore.level, confidence.score]).toEqual(['safe', 90]);
  });
});

describe('engines (O50, G55)', () => {
  const corpus = { ...CORPUS, freshScanners: 3 };
  const engine = { signal: 'scanner', category: 'malware' } as const;

  test('only a scanner that lists it now makes it malicious', () => {
    const of = (settings: object, entry = {}) => judged({ corpus, listings: [listed('x', settings, entry)] });
    expect(of(engine).malicious).toBe(true);
    expect(of({ ...engine, signal: 'feed' }).malicious).toBe(false);
    expect(of({ ...engine, adOnly: true }).malicious).toBe(false);
    expect(of({ ...engine, tags: ['vulnerable-driver'] }).malicious).toBe(false);
    expect(of({ ...engine, category: 'vulnerable-driver' }).malicious).toBe(false);
    expect(of(engine, LEFT).malicious).toBe(false);
    expect(of(engine, { matchType: 'page' }).malicious).toBe(false);
  });

  test('a scanner that names the value itself now makes it malicious, and then it is at least high', () => {
    const weak = { ...engine, reliability: 0.3 };
    const verdict = judged({ corpus, listings: [listed('x', weak)] });
    expect([verdict.malicious, verdict.riskScore.score, verdict.riskScore.level]).toEqual([true, 60, 'high']);
    expect(verdict.riskScore.factors.at(-1)).toMatchObject({ name: 'scanner_floor', contribution: 45 });
  });

  test.each<[string, CaseParts]>([
    ['names its range', { listings: [listed('x', engine, FAR)] }],
    ['names its parent', { subject: DOMAIN, listings: [listed('x', engine, { matchType: 'parent' })] }],
    [
      'names the host of a page',
      { subject: PAGE, listings: [listed('x', engine, { matched: 'shop.example' })] },
    ],
    ['named it too long ago', { listings: [listed('x', engine, { ageH: 24 * 11 })] }],
    ['is a scanner for files only', { listings: [listed('x', { ...engine, scannerKinds: ['hash'] })] }],
  ])('a scanner that %s does not make it malicious', (_, parts) => {
    const verdict = judged({ corpus, ...parts });
    expect([verdict.malicious, verdict.reputation.malicious]).toEqual([false, 0]);
  });

  test('a scanner against a voucher for the value itself is a contradiction of high severity, not malicious', () => {
    const context = { guards: guardedBy('known-good') };
    const verdict = judged({ subject: HASH, corpus, context, listings: [malware('x', engine), goodList()] });
    expect([verdict.malicious, verdict.reputation.malicious]).toEqual([false, 1]);
    expect(verdict.evidence.contradictorySignals).toMatchObject([{ type: 'known_good', severity: 'high' }]);
    expect([verdict.riskScore.level, verdict.evidence.recommendedAction]).toEqual(['safe', 'review']);
  });

  test('engines that delisted it count as suspicious, loaded engines without a listing as undetected', () => {
    const listings = [listed('a', engine), listed('b', engine, LEFT), listed('c', { category: 'malware' })];
    const { reputation, trust } = judged({ corpus, listings });
    expect(reputation).toEqual({ malicious: 1, suspicious: 1, harmless: 0, undetected: 1 });
    expect(trust.sourceAgreement).toMatchObject({
      scannerDetections: 1,
      scannerSuspicious: 1,
      scannerClean: 0,
    });
    const stale = listed('d', { ...engine, dataAtS: (NOW_H - 24 * 15) * 3_600 });
    expect(judged({ corpus, listings: [stale] }).reputation).toMatchObject({ malicious: 1, undetected: 3 });
  });
});
