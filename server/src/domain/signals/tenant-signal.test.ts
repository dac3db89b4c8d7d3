import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LURE_WORDS } from '../lookalike/index.ts';
import { heatPoints, type TenantFact, tenantSignalOf, textPoints } from './tenant-signal.ts';

const PLATFORM = 'sites.example';
const tenantOf = (text: string) => ({ host: `${text}.${PLATFORM}`, platform: PLATFORM, text });
const pointsOf = (text: string): number => textPoints(tenantOf(text)).points;
const factsOf = (text: string): readonly TenantFact[] => textPoints(tenantOf(text)).facts;

describe('the heat of a platform', () => {
  test.each([
    [0, 0, 0],
    [2, 0, 0],
    [3, 0, 6],
    [10, 995, 0],
    [20, 995, 2],
    [99, 995, 2],
    [100, 995, 4],
    [499, 995, 4],
    [500, 995, 6],
    [1_999, 995, 6],
    [2_000, 995, 8],
    [9_999, 995, 8],
    [10_000, 995, 10],
    [333, 0, 10],
  ])('%i newly named tenants and %i visited ones are %i points', (named, size, points) => {
    expect(heatPoints({ named, size })).toBe(points);
  });
});

describe('the text of a tenant', () => {
  test.each<[string, number, readonly TenantFact[]]>([
    ['garden', 0, []],
    ['garden1', 1, ['digits']],
    ['garden123', 1, ['digits']],
    ['garden1234', 2, ['digits']],
    ['garden12345', 2, ['digits']],
    ['garden123456', 5, ['digits']],
    ['my-quiet-garden-of-roses', 2, ['long']],
    ['my-quiet-garden-of-rose', 0, []],
    ['netflix-fans', 3, ['brand']],
    ['mynetflixteam', 3, ['brand']],
    ['lidl-fans', 3, ['brand']],
    ['mylidlteam', 0, []],
    ['my-garden-login', 4, ['lure']],
    ['netflix-login', 8, ['brand', 'lure']],
    ['xkcdqwrt', 2, ['fewVowels']],
    ['xkcdqae', 0, []],
    ['xkcdq', 0, []],
    ['netflix-login-secure-000111', 15, ['digits', 'long', 'brand', 'lure']],
  ])('%s has %i points', (text, points, facts) => {
    expect(pointsOf(text)).toBe(points);
    expect(factsOf(text)).toEqual(facts);
  });

  test.each(LURE_WORDS)('%s is a lure as a word, and inside others from five letters on', (word) => {
    expect(factsOf(`aa-${word}-aa`)).toContain('lure');
    expect(factsOf(`${word}2`)).toContain('lure');
    expect(factsOf(`aba${word}aba`).includes('lure')).toBe(word.length >= 5);
  });

  test("the platform's own brand does not count", () => {
    const platform = 'godaddysites.com';
    const of = (text: string) => textPoints({ host: `${text}.${platform}`, platform, text }).facts;
    expect(of('godaddy-team')).toEqual([]);
    expect(of('xfinityservice')).toEqual(['brand']);
  });
});

describe('the signal', () => {
  const hot = { named: 333, size: 0 };

  test('is raised at 12 points', () => {
    const text = 'my-quiet-garden-of-roses';
    expect(tenantSignalOf(tenantOf(text), hot)).toEqual({
      platform: PLATFORM,
      named: 333,
      total: 12,
      facts: ['long'],
      digits: 0,
    });
    expect(tenantSignalOf(tenantOf('garden1'), hot)).toBeNull();
  });

  test('a cold platform adds nothing and is not quoted', () => {
    const signal = tenantSignalOf(tenantOf('netflix-login-secure-000111'), { named: 20, size: 9_000 });
    expect(signal).toMatchObject({ named: 0, total: 15 });
    expect(tenantSignalOf(tenantOf('my-quiet-garden-of-roses'), { named: 2, size: 0 })).toBeNull();
  });

  test('punycode is not judged', () => {
    expect(tenantSignalOf(tenantOf('xn--80ak6aa92e-000111-login'), hot)).toBeNull();
  });
});

test('more facts and more heat never lower the scorecard', () => {
  const piece = fc.constantFrom('garden', 'netflix', 'login', '123', '456', 'xkcdq', 'wallet', 'roses');
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      piece,
      fc.nat(500),
      fc.nat(500),
      (pieces, more, named, size) => {
        const before = textPoints(tenantOf(pieces.join('-')));
        const after = textPoints(tenantOf([...pieces, more].join('-')));
        const kept = before.facts.filter((fact) => fact !== 'fewVowels');
        expect(after.facts).toEqual(expect.arrayContaining(kept));
        if (!before.facts.includes('fewVowels') || after.facts.includes('fewVowels'))
          expect(after.points).toBeGreaterThanOrEqual(before.points);
        expect(heatPoints({ named: named + 1, size })).toBeGreaterThanOrEqual(heatPoints({ named, size }));
        expect(heatPoints({ named, size: size + 1 })).toBeLessThanOrEqual(heatPoints({ named, size }));
      },
    ),
  );
});
