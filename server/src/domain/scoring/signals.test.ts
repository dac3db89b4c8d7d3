import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tenantPlatform } from '../indicator/index.ts';
import { type CaseParts, caseOf, guardedBy, listed, SUBJECT } from './case.fixture.ts';
import type { GuardName } from './facts.ts';
import { judgeCase } from './judge-case.ts';
import { MODEL } from './model.ts';
import { scoreCase } from './score-case.ts';
import { NO_SIGNALS, type SignalFacts } from './signal-facts.ts';

const NAME = { words: ['login'], suffix: 'xyz' };
const TENANT = {
  platform: 'sites.example',
  named: 333,
  total: 19,
  facts: ['digits', 'lure'],
  digits: 6,
} as const;
const BRAND = { technique: 'onPlatform', brand: 'PayPal' } as const;
const DOMAIN = { kind: 'domain', value: 'login-bank.xyz' } as const;
const B_LIST = { category: 'phishing' };

const withSignals = (signals: Partial<SignalFacts>, parts: CaseParts = {}) =>
  caseOf({ ...parts, signals: { ...NO_SIGNALS, ...signals } });
const named = (parts: CaseParts = {}) => withSignals({ name: NAME }, { subject: DOMAIN, ...parts });
const sumOf = ({ riskScore }: ReturnType<typeof judgeCase>): number =>
  riskScore.factors.reduce((sum, { contribution }) => sum + contribution, 0);

describe('an unlisted value with a signal', () => {
  test.each([
    ['some', 4, 'inconclusive', 'Not listed'],
    ['dense', 16, 'low', 'Low suspicion'],
    ['veryDense', 38, 'medium', 'Suspicious'],
  ] as const)('a network with %s listed addresses is %i points', (neighbourhood, score, level, word) => {
    const { riskScore } = judgeCase(withSignals({ neighbourhood }));
    expect(riskScore).toMatchObject({ score, level, word });
    expect(riskScore.factors).toMatchObject([{ name: 'neighbourhood', contribution: score }]);
  });

  test('a name that resembles listed ones is suspicious, shows its words and has no listing', () => {
    const verdict = judgeCase(named());
    expect(verdict.riskScore).toMatchObject({ score: 38, level: 'medium', word: 'Suspicious' });
    expect(verdict.riskScore.factors[0]?.description).toBe(
      'Its name resembles names that phishing lists added lately, foremost by "login" under .xyz, which adds 38 points.',
    );
    expect(verdict.riskScore.summary).toBe(
      'No source lists it; 38 points of 100 come from signals alone (Suspicious).',
    );
    expect(verdict).toMatchObject({
      malicious: false,
      blocklistHits: 0,
      reputation: { malicious: 0, suspicious: 0 },
      categories: [],
      techniques: [],
      classification: { primary: 'suspicious' },
      evidence: { verdict: 'medium', recommendedAction: 'review', sourceSummary: { count: 0 } },
      confidence: { level: 'low' },
    });
    expect(verdict.evidence.reasons).toContain('Not listed as a threat by 12 fresh sources.');
  });

  test('a tenant whose name and platform look like phishing is 38, and the sentence says why', () => {
    const { riskScore } = judgeCase(withSignals({ tenant: TENANT }, { subject: DOMAIN }));
    expect(riskScore).toMatchObject({ score: 38, level: 'medium' });
    expect(riskScore.factors).toMatchObject([
      {
        name: 'tenant',
        contribution: 38,
        description:
          '333 new phishing hosts on this platform in 90 days; the hostname contains 6 digits and a phishing keyword, which adds 38 points.',
      },
    ]);
  });

  test.each([
    ['long', 'The hostname contains 24 or more characters, which adds 38 points.'],
    ['brand', "The hostname contains a brand's name, which adds 38 points."],
    ['fewVowels', 'The hostname contains few vowels, which adds 38 points.'],
  ] as const)('on a cold platform only the name is told: %s', (fact, sentence) => {
    const tenant = { ...TENANT, named: 0, facts: [fact] };
    const { factors } = judgeCase(withSignals({ tenant }, { subject: DOMAIN })).riskScore;
    expect(factors[0]?.description).toBe(sentence);
  });

  test.each([
    ['domainLeft', 45, "The brand's domain paypal.com is used as a subdomain of an unrelated domain"],
    [
      'withLure',
      40,
      'The domain joins paypal.com to a phishing keyword or another of its names, and does not belong to paypal.com',
    ],
    ['swapped', 40, 'The domain is written like paypal.com with other letters or digits'],
    [
      'onPlatform',
      40,
      'The hostname joins paypal.com to a phishing keyword on a platform where anyone can register names',
    ],
  ] as const)('a name that uses the brand of others by %s is %i', (technique, score, sentence) => {
    const brand = { technique, brand: 'paypal.com' };
    const verdict = judgeCase(withSignals({ brand }, { subject: DOMAIN }));
    expect(verdict.riskScore).toMatchObject({ score, level: 'medium' });
    expect(verdict.riskScore.factors).toMatchObject([
      { name: 'brand', description: `${sentence}, which adds ${score} points.` },
    ]);
    expect(verdict).toMatchObject({ malicious: false, blocklistHits: 0 });
  });

  test('of the signals of one name the strongest counts, and only it is told', () => {
    const factorsOf = (signals: Partial<SignalFacts>) =>
      judgeCase(withSignals(signals, { subject: DOMAIN })).riskScore.factors.map(
        ({ name, contribution }) => `${name} ${contribution}`,
      );
    const imitates = 'google.com';
    expect(factorsOf({ imitates })).toEqual(['imitates 45']);
    expect(factorsOf({ imitates, name: NAME })).toEqual(['imitates 45']);
    expect(factorsOf({ tenant: TENANT, brand: BRAND })).toEqual(['brand 40']);
    expect(factorsOf({ tenant: TENANT, brand: BRAND, imitates })).toEqual(['imitates 45']);
  });

  test('a signal with more points alone never has fewer nats beside lists', () => {
    const { name, imitates, tenant, brand, brandDomain } = MODEL.signals;
    const all = [name, imitates, tenant, brand, brandDomain];
    for (const one of all)
      for (const other of all)
        if (one.alone > other.alone) expect(one.nats).toBeGreaterThanOrEqual(other.nats);
  });
});

describe('a listed value with a signal', () => {
  test('one list of grade B without a record is 35, and with a name that agrees 58', () => {
    const listings = [listed('one', B_LIST)];
    expect(judgeCase(caseOf({ subject: DOMAIN, listings })).riskScore.score).toBe(35);
    const verdict = judgeCase(named({ listings }));
    expect(verdict.riskScore).toMatchObject({ score: 58, level: 'medium' });
    expect(verdict).toMatchObject({ malicious: false, blocklistHits: 1 });
    expect(sumOf(verdict)).toBe(58);
  });

  test('a listed address gets no more than a dense network gives', () => {
    const listings = [listed('one')];
    const scores = (['some', 'dense', 'veryDense'] as const).map(
      (neighbourhood) => judgeCase(withSignals({ neighbourhood }, { listings })).riskScore.score,
    );
    expect(scores).toEqual([44, 51, 51]);
  });

  test('more evidence of lists never lowers the sum, and the parts add up', () => {
    let before = 0;
    for (let percent = 0; percent <= 100; percent += 1) {
      const listings = [listed('one', { ...B_LIST, reliability: percent / 100 })];
      const verdict = judgeCase(named({ listings }));
      expect(verdict.riskScore.score).toBeGreaterThanOrEqual(before);
      expect(sumOf(verdict)).toBe(verdict.riskScore.score);
      before = verdict.riskScore.score;
    }
  });

  test('a faded listing and two signals of one name stay below high', () => {
    const listings = [listed('one', B_LIST, { ageH: 24 * 60, isDelisted: true })];
    const both = withSignals({ name: NAME, imitates: 'google.com' }, { subject: DOMAIN, listings });
    expect(judgeCase(both).riskScore.level).toBe('medium');
  });
});

describe('no signal', () => {
  const guards: readonly GuardName[] = [
    'service',
    'shared-egress',
    'scanner',
    'anonymity',
    'known-good',
    'popularity',
    'platform',
  ];
  const everySignal: SignalFacts = {
    neighbourhood: 'veryDense',
    name: NAME,
    imitates: 'google.com',
    tenant: TENANT,
    brand: BRAND,
  };
  const signalled = (parts: CaseParts): readonly string[] =>
    scoreCase(withSignals(everySignal, parts)).adjustments.map(({ name }) => name);

  test.each(guards)('where a list of %s speaks for the value', (guard) => {
    const context = { guards: guardedBy(guard), rankBucket: 1_000_000 } as const;
    expect(signalled({ context })).toEqual([]);
    expect(signalled({ subject: DOMAIN, context })).toEqual([]);
  });

  test('where a list speaks for the parent', () => {
    const inherited = {
      guard: 'popularity',
      matched: 'bank.xyz',
      sourceId: 'top',
      rankBucket: 10_000,
    } as const;
    expect(signalled({ subject: DOMAIN, context: { inheritedGuards: [inherited] } })).toEqual([]);
  });

  test('except by the popularity of the platform: that is no word for its tenants', () => {
    const top = {
      guard: 'popularity',
      matched: 'sites.example',
      sourceId: 'top',
      rankBucket: 1_000,
    } as const;
    const parts = { subject: DOMAIN, context: { platform: 'sites.example', inheritedGuards: [top] } };
    expect(signalled(parts)).toEqual(['brand']);
    expect(scoreCase(withSignals({ name: NAME, imitates: 'google.com' }, parts)).score).toBe(0);
    const ofTenant = { ...top, matched: 'shop.sites.example' };
    expect(signalled({ ...parts, context: { ...parts.context, inheritedGuards: [top, ofTenant] } })).toEqual(
      [],
    );
    const good = { ...top, guard: 'known-good', rankBucket: null } as const;
    expect(signalled({ ...parts, context: { ...parts.context, inheritedGuards: [good] } })).toEqual([]);
  });

  test('where strangers have names below it, and for a list of good names that guards nothing', () => {
    expect(signalled({ subject: DOMAIN, context: { isTenantSuffix: true } })).toEqual([]);
    const listings = [listed('good', { threatClass: 'allowlist' })];
    expect(signalled({ subject: DOMAIN, listings })).toEqual([]);
  });

  test('for kinds that have neither a name nor a network', () => {
    for (const kind of ['hash', 'email', 'crypto', 'phone'] as const)
      expect(signalled({ subject: { kind, value: 'x' } })).toEqual([]);
  });

  test('of a name for an address, and of a network for a name', () => {
    expect(signalled({})).toEqual(['neighbourhood']);
    expect(signalled({ subject: DOMAIN })).toEqual(['imitates']);
  });
});

describe('a parent that is the platform, or above it', () => {
  const below = (matched: string, platform: string | null) =>
    scoreCase(
      caseOf({
        subject: DOMAIN,
        listings: [listed('one', B_LIST, { matchType: 'parent', matched })],
        context: { platform },
      }),
    ).score;

  test.each(['mooo.com', 'edgeone.app', 'co.com', 'asuscomm.com', 'ispot.cc'])(
    'passes nothing on to its tenants: %s',
    (platform) => {
      expect(tenantPlatform(`shop.${platform}`)).toBe(platform);
      expect(below(platform, platform)).toBe(0);
      expect(below(platform, null)).toBeGreaterThan(0);
    },
  );

  test('is told from a parent between the tenant and the platform', () => {
    expect(below('azure.com', 'cloudapp.azure.com')).toBe(0);
    expect(below('shop.mooo.com', 'mooo.com')).toBeGreaterThan(0);
    expect(below('ooo.com', 'mooo.com')).toBeGreaterThan(0);
  });
});

const arbitrarySignals = fc.record({
  neighbourhood: fc.constantFrom(null, 'some', 'dense', 'veryDense'),
  name: fc.constantFrom(null, NAME),
  imitates: fc.constantFrom(null, 'google.com'),
  tenant: fc.constantFrom(null, TENANT),
  brand: fc.constantFrom(null, BRAND, { technique: 'domainLeft', brand: 'paypal.com' } as const),
});

test('a signal sets neither malicious nor a count, never lowers the score, and the parts add up', () => {
  fc.assert(
    fc.property(
      arbitrarySignals,
      fc.array(fc.constantFrom('phishing', 'malware', 'spam', 'c2'), { maxLength: 3 }),
      fc.constantFrom(SUBJECT, DOMAIN, { kind: 'url', value: 'https://login-bank.xyz/x' } as const),
      (signals, categories, subject) => {
        const listings = categories.map((category, at) => listed(`list-${at}`, { category }));
        const without = judgeCase(caseOf({ subject, listings }));
        const verdict = judgeCase(caseOf({ subject, listings, signals }));
        const { malicious, blocklistHits, reputation, categories: named, techniques } = without;
        expect(verdict).toMatchObject({ malicious, blocklistHits, categories: named, techniques });
        expect(verdict.reputation.malicious).toBe(reputation.malicious);
        expect(verdict.riskScore.score).toBeGreaterThanOrEqual(without.riskScore.score);
        expect(sumOf(verdict)).toBe(verdict.riskScore.score);
      },
    ),
  );
});
