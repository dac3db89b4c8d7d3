import { describe, expect, test } from 'vitest';
import { KIND } from '#capabilities/corpus/index.ts';
import { registrySource } from '#test/registry.ts';
import { categoryMasks, foldCounts, threatsOfType } from './count-threats.ts';

const source = registrySource;

/** Does the same as the scan in SQL: combines the bits of an indicator's sources. */
const scanned = (bySource: readonly bigint[], kind: number, listedBy: readonly number[]) => ({
  kind,
  mask: listedBy.reduce((mask, number) => mask | (bySource[number] ?? 0n), 0n),
  count: 1,
});

describe('counting threats', () => {
  const sources = [
    source({ number: 1, category: 'phishing', entries: 5 }),
    source({ number: 2, category: 'malware', entries: 9 }),
    source({ number: 3, category: 'malware', enabled: false }),
    source({ number: 4, category: 'ads', adOnly: true }),
    source({ number: 6, category: 'cloud', threatClass: 'infrastructure' }),
  ];
  const { bySource, categories } = categoryMasks(sources);
  const count = (...indicators: readonly (readonly [kind: number, listedBy: readonly number[]])[]) =>
    foldCounts(
      indicators.map(([kind, listedBy]) => scanned(bySource, kind, listedBy)),
      categories,
    );

  test('an indicator on two threat lists is one threat, and counts in each of their categories', () => {
    expect(count([KIND.domain, [1, 2]])).toEqual({
      indicators: 1,
      threats: 1,
      threatsByKind: { [KIND.domain]: 1 },
      threatsByCategory: { malware: 1, phishing: 1 },
    });
  });

  test('lists of advertising, infrastructure and disabled ones make no threat; a disabled one lists nothing', () => {
    const counts = count([KIND.ipv4, [4]], [KIND.ipv4, [6]], [KIND.ipv4, [3]], [KIND.ipv4, [5]]);
    expect(counts).toEqual({ indicators: 2, threats: 0, threatsByKind: {}, threatsByCategory: {} });
  });

  test('ranges count as ip, digests of every length as hash, other kinds in the total alone', () => {
    const kinds = Object.values(KIND).map((kind) => [kind, [2]] as const);
    const counts = count(...kinds);
    expect(counts.threats).toBe(kinds.length);
    expect((['ip', 'domain', 'url', 'hash'] as const).map((type) => threatsOfType(counts, type))).toEqual([
      4, 1, 1, 3,
    ]);
  });

  test('with more categories than bits the smallest are counted as other, and none is lost', () => {
    const many = Array.from({ length: 70 }, (_, at) =>
      source({ number: at + 1, category: `category-${at}`, entries: 1_000 - at }),
    );
    const masks = categoryMasks(many);
    const counts = foldCounts(
      many.map(({ number }) => scanned(masks.bySource, KIND.url, [number])),
      masks.categories,
    );
    expect(counts.threatsByCategory.other).toBe(10);
    expect(Object.values(counts.threatsByCategory).reduce((sum, each) => sum + each, 0)).toBe(70);
    for (const mask of masks.bySource) expect(mask).toBeLessThan(2n ** 63n);
  });
});
