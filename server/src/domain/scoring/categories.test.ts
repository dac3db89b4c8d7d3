import { describe, expect, test } from 'vitest';
import { isKnownCategory, scoreCategoryOf, tierOf } from './categories.ts';
import { MODEL, SCORE_CATEGORIES } from './model.ts';
import { decayAfter } from './weigh-opinion.ts';

describe('categories of sources (ruling 2)', () => {
  test.each([
    ['attack-source', 'bruteforce'],
    ['brute-force', 'bruteforce'],
    ['web-attack', 'exploit'],
    ['exploit', 'exploit'],
    ['voip-fraud', 'fraud'],
    ['sanctioned', 'fraud'],
    ['malicious-activity', 'abuse'],
    ['aggregate', 'abuse'],
    ['bot', 'abuse'],
    ['hijacked-netblock', 'malware'],
    ['apt', 'malware'],
    ['spyware', 'malware'],
    ['stalkerware', 'malware'],
    ['cryptojacking', 'malware'],
    ['vulnerable-driver', 'malware'],
    ['typosquat', 'scam'],
    ['ddos', 'botnet'],
  ])('%s is %s', (word, category) => {
    expect([scoreCategoryOf(word), isKnownCategory(word)]).toEqual([category, true]);
  });

  test('every score category maps to itself and has a tier and a half-life for every kind', () => {
    for (const category of SCORE_CATEGORIES) {
      expect(scoreCategoryOf(category)).toBe(category);
      expect(['crit', 'attack', 'nuis']).toContain(tierOf(category));
      for (const kind of ['ip', 'domain', 'url'] as const)
        expect(decayAfter(MODEL.halfLifeDays[kind][category], 1)).toBeGreaterThan(0.5);
    }
  });

  test('an unknown category counts as abuse and is reported as unknown; names of object members are not categories', () => {
    for (const word of ['never-heard-of', '', 'constructor', 'toString', '__proto__'])
      expect([word, scoreCategoryOf(word), isKnownCategory(word)]).toEqual([word, 'abuse', false]);
  });
});
