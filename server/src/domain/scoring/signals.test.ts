import { describe, expect, test } from 'vitest';
import { type CaseParts, caseOf, guardedBy, listed } from './case.fixture.ts';
import type { GuardName } from './facts.ts';
import { judgeCase } from './judge-case.ts';
import { scoreCase } from './score-case.ts';
import { NO_SIGNALS, type SignalFacts } from './signal-facts.ts';

const NAME = { words: ['login'], suffix: 'xyz' };
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
      'Its name resembles those that lists of phishing and malware hold, foremost by "login" under .xyz, which adds 38 points.',
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

  test('an imitation is 45, and the name adds nothing beyond it', () => {
    const imitates = 'google.com';
    expect(judgeCase(withSignals({ imitates }, { subject: DOMAIN })).riskScore.score).toBe(45);
    const both = judgeCase(withSignals({ imitates, name: NAME }, { subject: DOMAIN }));
    expect(both.riskScore.factors.map(({ name, contribution }) => [name, contribution])).toEqual([
      ['name', 38],
      ['imitates', 7],
    ]);
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
  const everySignal: SignalFacts = { neighbourhood: 'veryDense', name: NAME, imitates: 'google.com' };
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
    expect(signalled({ subject: DOMAIN })).toEqual(['name', 'imitates']);
  });
});
