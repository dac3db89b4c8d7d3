import { describe, expect, test } from 'vitest';
import { type CaseParts, caseOf, GRADE_A, guardedBy, listed, SUBJECT } from './case.fixture.ts';
import { judgeCase } from './judge-case.ts';
import { popularityVouches } from './popularity.ts';

const RESOLVER = { name: 'Google Public DNS', operator: 'Google', kind: 'resolver', vouches: true } as const;
const API = { name: 'Telegram Bot API', operator: 'Telegram', kind: 'api', vouches: false } as const;
const NAMED = { guards: guardedBy('named-service'), service: RESOLVER };
const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;

const judged = (parts: CaseParts) => judgeCase(caseOf(parts));
const gist = ({ riskScore, evidence }: ReturnType<typeof judged>) => [
  riskScore.score,
  riskScore.level,
  riskScore.word,
  evidence.recommendedAction,
];

describe('a named service (O53)', () => {
  test('is safe by its name', () => {
    const verdict = judged({ context: NAMED });
    expect(gist(verdict)).toEqual([0, 'safe', 'Common service: Google Public DNS', 'allow']);
    expect(verdict.evidence.reasons[0]).toBe('It belongs to Google Public DNS, a service of Google.');
    expect(verdict.classification.primary).toBe('safe');
  });

  test('stays so when one origin without grade A accuses it, and the answer still names it', () => {
    const verdict = judged({ context: NAMED, listings: [listed('x', { category: 'malware' })] });
    expect(gist(verdict)).toEqual([0, 'safe', 'Common service: Google Public DNS', 'allow']);
    expect(verdict.evidence.reasons.join(' ')).toContain('It belongs to Google Public DNS');
    expect(verdict.riskScore.factors.map(({ contribution }) => contribution).reduce((a, b) => a + b)).toBe(0);
  });

  test('is low at most, however many origins accuse it, in whole points and with a sentence', () => {
    const listings = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) =>
      listed(id, { category: 'malware', fpRisk: 'low' }),
    );
    const { riskScore } = judged({ context: NAMED, listings });
    expect([riskScore.score, riskScore.level]).toEqual([34, 'low']);
    expect(riskScore.factors.find(({ name }) => name === 'named_service_limit')?.description).toContain(
      'never above low',
    );
  });

  test('may be above low where a source of grade A names the value itself, not a range around it', () => {
    const listings = [
      listed('a', { ...GRADE_A, category: 'malware' }),
      listed('b', { ...GRADE_A, category: 'malware' }),
    ];
    expect(judged({ context: NAMED, listings }).riskScore.score).toBeGreaterThan(34);
    const range = listings.map((each) => ({ ...each, matchType: 'cidr' as const, prefixBits: 30 }));
    expect(judged({ context: NAMED, listings: range }).riskScore.score).toBeLessThanOrEqual(34);
  });

  test('is not malicious by a scanner, but a person is asked', () => {
    const listings = [listed('x', { signal: 'scanner', category: 'malware' })];
    const verdict = judged({ context: NAMED, listings });
    expect(verdict.malicious).toBe(false);
    expect(verdict.evidence.recommendedAction).toBe('review');
  });

  test('says nothing of a page on it', () => {
    const subject = { kind: 'url', value: 'https://accounts.google.com/x' } as const;
    const verdict = judged({
      subject,
      context: { guards: guardedBy(['named-service', 'host']), service: RESOLVER },
    });
    expect(verdict.riskScore.word).toBe('Not listed');
    expect(verdict.evidence.reasons).toContain('Its host has a good name, which says nothing of the page.');
  });

  test('through which strangers act is named and vouches for nothing', () => {
    const verdict = judged({ subject: DOMAIN, context: { service: API } });
    expect(gist(verdict)).toEqual([0, 'inconclusive', 'Not listed', 'unverified']);
    expect(verdict.evidence.reasons).toContain(
      'It belongs to Telegram Bot API, a service of Telegram: strangers act through it, so its name vouches for none of them.',
    );
    const accused = judged({ subject: DOMAIN, context: { service: API }, listings: [listed('x')] });
    expect(accused.riskScore.level).toBe('medium');
    expect(accused.evidence.reasons.join(' ')).toContain('vouches for none of them');
  });
});

describe('popularity vouches where two kinds of lists agree (O53)', () => {
  test.each([
    [['mixed', 'links'], true],
    [['visits', 'queries'], true],
    [['mixed', 'queries'], true],
    [['mixed'], false],
    [['links'], false],
    [['queries'], false],
    [[], false],
  ] as const)('%j: %s', (popularKinds, vouches) => {
    expect(popularityVouches(popularKinds)).toBe(vouches);
    const context = { guards: guardedBy('popularity'), rankBucket: 10_000 as const, popularKinds };
    const { riskScore } = judged({ subject: DOMAIN, context });
    expect(riskScore.word).toBe(vouches ? 'Popular site' : 'Not listed');
  });

  test('one kind is told, and still takes points from an accusation', () => {
    const context = {
      guards: guardedBy('popularity'),
      rankBucket: 10_000 as const,
      popularKinds: ['queries'] as const,
    };
    expect(judged({ subject: DOMAIN, context }).evidence.reasons[1]).toContain('Only lists of name queries');
    const listings = [listed('x', {}, { matched: DOMAIN.value })];
    expect(judged({ subject: DOMAIN, context, listings }).riskScore.score).toBeLessThan(
      judged({ subject: DOMAIN, listings }).riskScore.score,
    );
  });
});

test('what speaks for the operator of a platform does not vouch for the platform', () => {
  const context = { guards: guardedBy('known-good', 'platform'), isTenantSuffix: true };
  const { riskScore } = judged({ subject: DOMAIN, context });
  expect([riskScore.level, riskScore.word]).toEqual(['inconclusive', 'Platform: judge the name below it']);
});

test('a reserved name is called that', () => {
  const verdict = judged({ subject: DOMAIN, context: { isReserved: true } });
  expect(gist(verdict)).toEqual([0, 'safe', 'Reserved name', 'not-applicable']);
  expect(verdict.evidence.reasons).toEqual([
    'A name that standards reserve: reputation does not apply to it.',
  ]);
});

test('an address that carries another is judged as that one, and the reason says so', () => {
  const verdict = judged({ subject: { ...SUBJECT, carrier: 'NAT64' } });
  expect(verdict.evidence.reasons).toContain(
    'The address carries an IPv4 address (NAT64), and that one is judged.',
  );
});

describe('a look-alike (O54)', () => {
  const lookalike = {
    of: 'paypal.com',
    technique: 'tld',
    detail: 'The same name under another suffix.',
  } as const;
  const weak = listed('x', { letter: 'D', reliability: 0.35 }, { matched: DOMAIN.value, ageH: 24 });

  test('is a reason and adds no points', () => {
    const verdict = judged({ subject: DOMAIN, lookalike });
    expect([verdict.riskScore.score, verdict.evidence.recommendedAction]).toEqual([0, 'unverified']);
    expect(verdict.evidence.reasons).toContain(
      'It resembles paypal.com. The same name under another suffix.',
    );
  });

  test('lifts a listed name from monitor to review', () => {
    const plain = judged({ subject: DOMAIN, listings: [weak] });
    expect([plain.riskScore.level, plain.evidence.recommendedAction]).toEqual(['low', 'monitor']);
    const both = judged({ subject: DOMAIN, listings: [weak], lookalike });
    expect([both.riskScore.score, both.evidence.recommendedAction]).toEqual([
      plain.riskScore.score,
      'review',
    ]);
    const parent = { ...weak, matchType: 'parent' as const };
    expect(judged({ subject: DOMAIN, listings: [parent], lookalike }).evidence.recommendedAction).toBe(
      'monitor',
    );
  });
});
