import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { type CaseParts, caseOf, listed, NOW_H } from './case.fixture.ts';
import type { ContextFacts, ListingFacts, SourceFacts } from './facts.ts';
import { scoreCase } from './score-case.ts';

const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;
const HOUR_S = 3_600;
const DAYS = 24;
const PHISHING = { category: 'phishing', type: 'domain' } as const;
const OWN = { ...PHISHING, ownList: true, fpRisk: 'low' } as const;

const since = (days: number) =>
  ({ firstSeenS: (NOW_H - days * DAYS) * HOUR_S, dating: 'sighted', hasOwnLastSeen: false }) as const;
const UNDATED = { dating: 'undated', hasOwnLastSeen: false } as const;
const named = (id: string, entry: Partial<ListingFacts> = UNDATED, settings: Partial<SourceFacts> = {}) =>
  listed(id, { ...PHISHING, ...settings }, { matched: DOMAIN.value, ...entry });
const scoreOf = (listings: readonly ListingFacts[], parts: CaseParts = {}): number =>
  scoreCase(caseOf({ subject: DOMAIN, listings, ...parts })).score;
const partsOf = (listings: readonly ListingFacts[], context: Partial<ContextFacts>) =>
  Object.fromEntries(
    scoreCase(caseOf({ subject: DOMAIN, listings, context })).adjustments.map((one) => [
      one.name,
      one.contribution,
    ]),
  );

describe('a list that removes entries', () => {
  test('a name does not fade while the list has it, and counts half at most when it left', () => {
    expect([0, 30, 59].map((days) => scoreOf([named('phishtank', since(days))]))).toEqual([63, 63, 63]);
    expect(scoreOf([named('phishtank', since(61))])).toBe(34);
    const left = { ...since(10), lastSeenS: (NOW_H - 1) * HOUR_S, isDelisted: true };
    expect(scoreOf([named('phishtank', left)])).toBeLessThan(45);
  });

  test('a stale copy of it asserts nothing any more', () => {
    const dataAtS = (NOW_H - 200 * DAYS) * HOUR_S;
    expect(scoreOf([named('phishtank', since(10), { dataAtS })])).toBeLessThan(35);
    // The share of a list of unknown class was learned on such copies.
    expect(scoreOf([named('polkadot-phishing', UNDATED, { dataAtS, fpRisk: 'low' })])).toBe(77);
    const older = { dataAtS: (NOW_H - 700 * DAYS) * HOUR_S };
    expect(scoreOf([named('polkadot-phishing', UNDATED, older)])).toBeLessThan(60);
  });
});

describe('what one listing of a name cannot do', () => {
  test('a list that nobody measured never blocks alone, whatever its grade; graver letters do not help', () => {
    for (const letter of ['A', 'B', 'C', 'F'])
      expect(scoreOf([named('new-list', UNDATED, { letter, fpRisk: 'low' })])).toBeLessThanOrEqual(59);
  });

  test('a fresh commit to a list of unknown class does not block until a second origin names it, or a week passed', () => {
    expect(scoreOf([named('polkadot-phishing', since(2))])).toBe(59);
    expect(scoreOf([named('polkadot-phishing', since(8))])).toBeGreaterThanOrEqual(60);
    const second = named('destroylist');
    expect(scoreOf([named('polkadot-phishing', since(2)), second])).toBeGreaterThanOrEqual(60);
  });

  test('a list of scams never passes 50, an aggregate 34, an archive 59', () => {
    expect(scoreOf([named('polkadot-phishing', UNDATED, { category: 'scam' })])).toBe(50);
    expect(scoreOf([named('polkadot-phishing', UNDATED, { aggregate: true })])).toBe(34);
    expect(scoreOf([named('polkadot-phishing', since(1), { semantics: 'archive' })])).toBe(59);
  });

  test('a name that a list still has is never below low, except where the list takes nothing back', () => {
    expect(scoreOf([named('sw-malware', UNDATED, { letter: 'C', fpRisk: 'high' })])).toBe(10);
    expect(scoreOf([named('blackbook', since(4_000), { semantics: 'archive', letter: 'C' })])).toBeLessThan(
      10,
    );
  });
});

describe('lists that operators import (O81)', () => {
  test('grade B reaches review with 56, below a listed name 49, and grade A blocks with 83, at any age', () => {
    for (const days of [0, 7, 30]) {
      const entry = since(days);
      expect(scoreOf([named('mine', entry, OWN)])).toBe(56);
      expect(scoreOf([named('mine', { ...entry, matchType: 'parent', matched: 'example' }, OWN)])).toBe(49);
      expect(scoreOf([named('mine', entry, { ...OWN, letter: 'A', reliability: 0.95 })])).toBe(83);
    }
  });
});

describe('relation to the listed name', () => {
  const parent = (matched: string) =>
    named('polkadot-phishing', { ...UNDATED, matchType: 'parent', matched });

  test('www. before a listed name is that name', () => {
    const subject = { kind: 'domain', value: 'www.shop.example' } as const;
    expect(scoreOf([parent('shop.example')], { subject })).toBe(77);
    expect(scoreOf([parent('example')], { subject })).toBeLessThan(77);
  });

  test('a listed platform passes nothing on to its tenants', () => {
    const context = { platform: 'pages.example' };
    const subject = { kind: 'domain', value: 'tenant.pages.example' } as const;
    expect(scoreOf([parent('pages.example')], { subject, context })).toBe(0);
  });

  test('a platform itself has at most 9 points where people visit its tenants, else 34', () => {
    const root = (value: string) =>
      scoreCase(
        caseOf({
          subject: { kind: 'domain', value },
          listings: [named('polkadot-phishing', { ...UNDATED, matched: value })],
          context: { isTenantSuffix: true },
        }),
      ).score;
    expect([root('github.io'), root('nobody-knows.example')]).toEqual([9, 34]);
  });
});

describe('several origins', () => {
  test('of a name the strongest counts whole and every other a quarter', () => {
    const alone = scoreOf([named('polkadot-phishing')]);
    const both = scoreOf([named('polkadot-phishing'), named('blp-phishing')]);
    expect([alone, both]).toEqual([77, 79]);
  });

  test('of an address the origins add up, and one origin of attacks is worth 50', () => {
    const one = ['a', 'b', 'c'].map((id) => listed(id, { lineage: 'one', fpRisk: 'low' }));
    expect(scoreCase(caseOf({ listings: one })).score).toBe(50);
    const other = listed('other', { fpRisk: 'low' });
    expect(scoreCase(caseOf({ listings: [...one, other] })).score).toBe(75);
  });

  test('a popular site needs a second origin of its own weight, and then stays below block without grade A', () => {
    const context = { guards: [guard], rankBucket: 1_000_000 } as const;
    const popular = { ...context, rankBucket: 100_000 } as const;
    const strong = [named('polkadot-phishing'), named('phishtank', since(9))];
    expect(partsOf([named('polkadot-phishing')], popular).popular_uncorroborated).toBeLessThan(0);
    expect(scoreOf(strong, { context: popular })).toBeLessThanOrEqual(59);
    expect(scoreOf(strong, { context })).toBeGreaterThanOrEqual(60);
  });
});

const guard = { guard: 'popularity', scope: 'itself', sourceId: 'top', matched: DOMAIN.value } as const;

describe('the publisher states its confidence', () => {
  test('a listing counts by it, in steps of five, and fully where none is stated', () => {
    const at = (confidence?: number) =>
      scoreOf([named('phishtank', { ...since(3), ...(confidence !== undefined && { confidence }) })]);
    expect(at()).toBe(at(-1));
    expect(at(100)).toBe(at());
    expect([at(50), at(52)]).toEqual([at(50), at(50)]);
    expect(at(50)).toBeLessThan(at(90));
    expect(at(0)).toBeGreaterThan(0);
  });
});

test('a younger entry never weighs less than an older one of the same list', () => {
  const lists = ['phishtank', 'maltrail-malware', 'maltrail-malicious', 'polkadot-phishing', 'new-list'];
  fc.assert(
    fc.property(fc.constantFrom(...lists), fc.nat(900), fc.nat(900), fc.boolean(), (id, a, b, keeps) => {
      const [younger, older] = [Math.min(a, b), Math.max(a, b)];
      // The first week of a list of unknown class has a limit of its own.
      if (younger < 7 && !keeps) return;
      const at = (days: number) => scoreOf([named(id, since(days), { keepsEntries: keeps })]);
      expect(at(younger)).toBeGreaterThanOrEqual(at(older));
    }),
    { numRuns: bySize(400, 20_000) },
  );
});
