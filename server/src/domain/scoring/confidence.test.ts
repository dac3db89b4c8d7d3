import { describe, expect, test } from 'vitest';
import { type CaseParts, CORPUS, caseOf, GRADE_A, guardedBy, listed } from './case.fixture.ts';
import { levelOfConfidence } from './confidence.ts';
import { judgeCase } from './judge-case.ts';

const RESOLVER = { name: 'Google Public DNS', operator: 'Google', kind: 'resolver', vouches: true } as const;
const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;
const confidence = (parts: CaseParts) => judgeCase(caseOf(parts)).confidence.score;

describe('confidence (scoring 6)', () => {
  test('for listed subjects: agreement, freshness, reliability and coverage', () => {
    // E = 0.55: 45 (1 - e^-0.66) + 20 + 20 x 0.75 + 15.
    expect(confidence({ listings: [listed('x')] })).toBe(72);
    const half = { ...CORPUS, coverage: 0.5 };
    expect(confidence({ listings: [listed('x')], corpus: half })).toBe(64);
    // A grace of two hours and one half-life of 13 days: less evidence and half the freshness.
    expect(confidence({ listings: [listed('x', {}, { ageH: 2 + 13 * 24 })] })).toBe(50);
    expect(confidence({ listings: [listed('x'), listed('y')] })).toBe(83);
    expect(confidence({ listings: [listed('x', {}, { ageH: 9_000 })] })).toBe(15);
  });

  test('a second list of the same operator adds less than an independent source', () => {
    const echo = [listed('x', { lineage: 'one' }), listed('y', { lineage: 'one' })];
    expect(confidence({ listings: echo })).toBe(75);
  });

  test.each([
    ['known-good', null, 25],
    ['service', null, 25],
    ['popularity', 100_000, 25],
    ['popularity', 1_000_000, 0],
    ['scanner', null, 0],
    ['anonymity', null, 0],
  ] as const)('an accusation of grade A or B against %s (rank %s) costs %i', (guard, rankBucket, cost) => {
    const context = { guards: guardedBy(guard), rankBucket };
    const difference = (letter: string) => {
      // Two origins, because one alone leaves no accusation inside a service range.
      const listings = ['x', 'y'].map((id) => listed(id, { ...GRADE_A, letter, category: 'malware' }));
      return confidence({ subject: DOMAIN, listings }) - confidence({ subject: DOMAIN, listings, context });
    };
    expect([difference('A'), difference('B'), difference('C')]).toEqual([cost, cost, 0]);
  });

  test('for unlisted subjects: the loaded share of the corpus, and vouchers', () => {
    const corpus = { ...CORPUS, coverage: 0.8, corpusFresh: 0.5 };
    expect(confidence({ subject: DOMAIN })).toBe(55);
    expect(confidence({ subject: DOMAIN, corpus })).toBe(22);
    const context = { guards: guardedBy('popularity'), rankBucket: 1_000_000 } as const;
    expect(confidence({ subject: DOMAIN, corpus, context })).toBe(57);
    expect(confidence({ subject: DOMAIN, context })).toBe(90);
    expect(confidence({ context: { isReserved: true } })).toBe(90);
  });

  test('low below 40, high from 75', () => {
    expect([0, 39, 40, 74, 75, 100].map(levelOfConfidence)).toEqual([
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'high',
    ]);
  });

  describe('the explanation', () => {
    const said = (parts: CaseParts) => judgeCase(caseOf(parts)).confidence.explanation;
    const alone = { ...CORPUS, coverage: 0.04, defaultShare: 0, otherSources: 1 };

    test('one own list: hardly any confidence, and it is not called complete', () => {
      expect(confidence({ subject: DOMAIN, corpus: alone })).toBe(2);
      expect(said({ subject: DOMAIN, corpus: alone })).toBe(
        "No threat list and no allowlist contains it. Of the catalogue's default sources for this kind, 0 % by weight are loaded, and 1 other source is loaded. This doesn't mean it is safe.",
      );
    });

    test('only a complete corpus is 100 %', () => {
      expect(said({ listings: [listed('x')], corpus: { ...CORPUS, defaultShare: 0.999 } })).toContain('99 %');
      expect(said({ listings: [listed('x')] })).toContain('100 % by weight are loaded.');
    });

    test('a kind without default sources says so', () => {
      const corpus = { ...alone, defaultShare: null, otherSources: 2 };
      expect(said({ subject: DOMAIN, corpus })).toContain(
        'The catalogue has no default source for this kind; 2 sources are loaded.',
      );
    });

    test('what calls it good is named: the allowlist or the known service', () => {
      const service = caseOf({
        corpus: alone,
        context: { guards: guardedBy('named-service'), service: RESOLVER },
      });
      expect(judgeCase(service).confidence.explanation).toMatch(
        /^No threat list contains it; it belongs to the known service Google Public DNS\./,
      );
      const good = listed('goods', { threatClass: 'allowlist', name: 'Good Names' });
      const context = { guards: guardedBy('known-good').map((guard) => ({ ...guard, sourceId: 'goods' })) };
      expect(said({ subject: DOMAIN, listings: [good], context })).toContain(
        'it is allowlisted by Good Names.',
      );
    });
  });
});
