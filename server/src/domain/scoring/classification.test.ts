import { describe, expect, test } from 'vitest';
import { type CaseParts, caseOf, GRADE_A, guardedBy, listed } from './case.fixture.ts';
import { judgeCase } from './judge-case.ts';
import { SCORE_CATEGORIES } from './model.ts';
import { TECHNIQUES_OF, TECHNIQUES_OF_WORD } from './techniques.ts';

/** The classes that G5 lists. */
const CLASSES =
  'safe suspicious malware phishing c2 botnet ransomware spam scam fraud bruteforce scanner abuse tracking attack unknown'.split(
    ' ',
  );
const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;
const judged = (parts: CaseParts) => judgeCase(caseOf(parts));
const of = (category: string, settings = {}, entry = {}) =>
  listed(`${category} list`, { category, fpRisk: 'low', ...settings }, entry);

describe('classification (G5)', () => {
  test('every score category has a class', () => {
    const words = SCORE_CATEGORIES.map(
      (category) => judged({ listings: [of(category)] }).classification.primary,
    );
    const renamed: Readonly<Record<string, string>> = { exploit: 'attack', test: 'suspicious' };
    expect(words).toEqual(SCORE_CATEGORIES.map((category) => renamed[category] ?? category));
    for (const word of words) expect(CLASSES).toContain(word);
  });

  test('the strongest category leads, the others follow by strength', () => {
    const listings = [of('spam'), of('c2', GRADE_A), of('web-attack', { reliability: 0.8 })];
    const { classification, categories } = judged({ listings });
    expect([classification.primary, classification.secondary]).toEqual(['c2', ['attack', 'spam']]);
    expect(categories).toEqual(['c2', 'exploit', 'spam']);
    expect(classification.indicators.map(({ type, category, weight }) => [type, category, weight])).toEqual([
      ['listing', 'c2', 0.95],
      ['listing', 'attack', 0.8],
      ['listing', 'spam', 0.75],
    ]);
  });

  test('its confidence is that of the answer times the share of the leading category', () => {
    const { classification, confidence } = judged({ listings: [of('c2'), of('phishing')] });
    expect(classification.confidence).toBe(Math.round(confidence.score / 2));
  });

  test('listed but too weak is suspicious; former listings alone are unknown; neither is safe', () => {
    const faint = { matchType: 'cidr', prefixBits: 8 } as const;
    expect(judged({ listings: [of('spam', { reliability: 0.3 }, faint)] }).classification.primary).toBe(
      'suspicious',
    );
    const left = of('spam', {}, { isDelisted: true, ageH: 24 * 30 });
    expect(judged({ listings: [left] }).classification.primary).toBe('unknown');
  });

  test('the categories of a row come from current listings, not from former ones or from neighbours', () => {
    const listings = [
      of('spam'),
      of('phishing', {}, { isDelisted: true, ageH: 1 }),
      of('c2', {}, { matchType: 'page' }),
      of('scam', {}, { ageH: 24 * 365 }),
    ];
    expect(judged({ listings }).categories).toEqual(['spam', 'scam']);
  });

  test('a tracker that is popular stays a tracker', () => {
    const listings = [listed('ads', { adOnly: true })];
    const context = { guards: guardedBy('popularity'), rankBucket: 1_000 } as const;
    const verdict = judged({ subject: DOMAIN, listings, context });
    expect([verdict.classification.primary, verdict.evidence.recommendedAction]).toEqual([
      'tracking',
      'allow',
    ]);
  });
});

describe('techniques', () => {
  test('only those of categories that count, sorted, each once', () => {
    const listings = [
      of('c2', { reliability: 0.9 }),
      listed('b', { category: 'bruteforce' }),
      listed('b2', { category: 'attack-source' }),
      of('ransomware', {}, { ageH: 24 * 365 }),
    ];
    expect(judged({ listings }).techniques).toEqual(['T1071', 'T1110']);
  });

  test('none at level safe or inconclusive', () => {
    const faint = { matchType: 'cidr', prefixBits: 8 } as const;
    expect(judged({ listings: [of('c2', { reliability: 0.2 }, faint)] }).techniques).toEqual([]);
    expect(judged({}).techniques).toEqual([]);
  });

  test('the publisher’s category is more specific than the score category', () => {
    const techniques = (category: string, settings = {}, kind: 'ip' | 'hash' = 'ip') =>
      judged({ subject: { kind, value: 'x' }, listings: [of(category, settings)] }).techniques;
    expect(techniques('ddos')).toEqual(['T1498']);
    expect(techniques('cryptojacking')).toEqual(['T1496']);
    expect(techniques('typosquat')).toEqual(['T1583.001']);
    expect(techniques('malware', { tags: ['vulnerable-driver'] }, 'hash')).toEqual(['T1068']);
    expect(techniques('malware', {}, 'hash')).toEqual(['T1204.002']);
    expect(techniques('malware')).toEqual(['T1105']);
  });

  test('every id has the form of ATT&CK', () => {
    for (const id of [...Object.values(TECHNIQUES_OF), ...Object.values(TECHNIQUES_OF_WORD)].flat())
      expect(id).toMatch(/^T\d{4}(\.\d{3})?$/);
  });
});
