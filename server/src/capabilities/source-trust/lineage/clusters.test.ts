import { describe, expect, test } from 'vitest';
import { type Member, type Placement, placeSources } from './clusters.ts';
import type { JoinedPair } from './joined-pairs.ts';

type Given = { size?: number; lineage?: string; aggregate?: boolean };

/** Sources by name; their numbers follow their order. */
function place(
  sources: Record<string, Given>,
  inside: readonly (readonly [smaller: string, larger: string, containment?: number])[],
): Map<string, Placement> {
  const names = Object.keys(sources);
  const members: Member[] = names.map((id, number) => ({
    number,
    id,
    lineage: sources[id]?.lineage ?? null,
    aggregate: sources[id]?.aggregate ?? false,
    size: sources[id]?.size ?? 1_000,
  }));
  const pairs: JoinedPair[] = inside.map(([smaller, larger, containment = 0.9]) => ({
    smaller: names.indexOf(smaller),
    larger: names.indexOf(larger),
    containment,
    days: 7,
    daysMeasured: 7,
    isProvisional: false,
  }));
  return new Map(placeSources(members, pairs).map((placement) => [placement.id, placement]));
}

const clustersOf = (placed: Map<string, Placement>): Record<string, string> =>
  Object.fromEntries([...placed].map(([id, { cluster }]) => [id, cluster]));

test('a source alone is its own cluster; with a declared operator its cluster is the operator', () => {
  expect(clustersOf(place({ a: {}, b: { lineage: 'abuse.ch' } }, []))).toEqual({ a: 'a', b: 'abuse.ch' });
});

test('a copy joins what it copies, and the larger one gives the name', () => {
  const placed = place({ copy: { size: 539 }, original: { size: 547 } }, [['copy', 'original', 0.96]]);
  expect(clustersOf(placed)).toEqual({ copy: 'original', original: 'original' });
  expect(placed.get('copy')?.evidence).toEqual([
    { with: 'original', relation: 'inside', containment: 0.96, days: 7, joins: true },
  ]);
  expect(placed.get('original')?.evidence).toEqual([
    { with: 'copy', relation: 'holds', containment: 0.96, days: 7, joins: true },
  ]);
});

test('a source joins the smallest of those that hold it', () => {
  const sources = { small: { size: 100 }, middle: { size: 1_000 }, large: { size: 10_000 } };
  const placed = place(sources, [
    ['small', 'large'],
    ['small', 'middle'],
  ]);
  expect(clustersOf(placed)).toEqual({ small: 'middle', middle: 'middle', large: 'large' });
  expect(placed.get('small')?.evidence.find(({ with: other }) => other === 'large')?.joins).toBe(false);
});

test('two large sources are not joined by a third one that both hold', () => {
  const sources = { small: { size: 100 }, east: { size: 5_000 }, west: { size: 6_000 } };
  const clusters = clustersOf(
    place(sources, [
      ['small', 'east'],
      ['small', 'west'],
    ]),
  );
  expect(clusters.east).not.toBe(clusters.west);
});

test('of two equally large sources that hold it the first by name is taken, in any order', () => {
  const inside = [
    ['small', 'west'],
    ['small', 'east'],
  ] as const;
  const sources = { small: { size: 100 }, west: {}, east: {} };
  expect(clustersOf(place(sources, inside)).small).toBe('east');
  expect(clustersOf(place(sources, [...inside].reverse())).small).toBe('east');
});

test('a source stays with the one that holds it when that one is held by another', () => {
  const sources = { inner: { size: 100 }, middle: { size: 200 }, outer: { size: 300 } };
  const placed = place(sources, [
    ['inner', 'middle'],
    ['middle', 'outer'],
  ]);
  expect(clustersOf(placed)).toEqual({ inner: 'outer', middle: 'outer', outer: 'outer' });
});

describe('an aggregate is declared', () => {
  const sources = {
    mail: { size: 100 },
    ssh: { size: 200 },
    all: { size: 5_000, aggregate: true },
    tiny: { size: 50, aggregate: true },
  };
  const placed = place(sources, [
    ['mail', 'all'],
    ['ssh', 'all'],
    ['tiny', 'ssh'],
    ['tiny', 'all'],
  ]);

  test('and no source joins it', () => {
    expect(clustersOf(placed)).toEqual({ mail: 'mail', ssh: 'ssh', all: 'all', tiny: 'tiny' });
  });

  test('but the sources it holds are in its evidence', () => {
    expect(placed.get('all')?.evidence.map(({ with: other }) => other)).toEqual(['mail', 'ssh', 'tiny']);
    expect(placed.get('all')?.evidence.some(({ joins }) => joins)).toBe(false);
  });

  test('even when it has the lineage of others', () => {
    const own = { a: { lineage: 'x', size: 9 }, b: { lineage: 'x', aggregate: true, size: 99 } };
    expect(
      place(own, [['a', 'b']])
        .get('a')
        ?.evidence.some(({ joins }) => joins),
    ).toBe(false);
  });
});

describe('declared and measured are one union', () => {
  test('sources of one operator are together, independent of their content', () => {
    const clusters = clustersOf(place({ ssh: { lineage: 'de' }, mail: { lineage: 'de' }, other: {} }, []));
    expect(clusters).toEqual({ ssh: 'de', mail: 'de', other: 'other' });
  });

  test('a copy of one of them joins all of them, under the name that new sources of the operator have too', () => {
    const sources = {
      ssh: { lineage: 'de', size: 900 },
      mail: { lineage: 'de', size: 800 },
      copy: { size: 500 },
    };
    expect(clustersOf(place(sources, [['copy', 'mail']]))).toEqual({ ssh: 'de', mail: 'de', copy: 'de' });
  });

  test('a part that another publisher holds joins that publisher alone, its siblings stay', () => {
    const sources = {
      scam: { lineage: 'here', size: 900 },
      malware: { lineage: 'here', size: 800 },
      theirs: { lineage: 'there', size: 1_000 },
      phishing: { lineage: 'there', size: 5_000 },
    };
    const placed = place(sources, [['scam', 'theirs']]);
    expect(clustersOf(placed)).toEqual({
      scam: 'there',
      malware: 'here',
      theirs: 'there',
      phishing: 'there',
    });
    expect(placed.get('scam')?.evidence.map(({ with: other, joins }) => [other, joins])).toEqual([
      ['malware', false],
      ['theirs', true],
    ]);
  });

  test("a part that its own operator holds does not carry the operator into another publisher's cluster", () => {
    const sources = {
      ssh: { lineage: 'de', size: 900 },
      all: { lineage: 'de', size: 9_000 },
      stranger: { size: 1_000 },
    };
    const placed = place(sources, [
      ['ssh', 'stranger'],
      ['ssh', 'all'],
    ]);
    expect(clustersOf(placed)).toEqual({ ssh: 'de', all: 'de', stranger: 'stranger' });
  });
});

test('a result of fewer than seven days is provisional, the rest is not', () => {
  const members: Member[] = ['a', 'b', 'c'].map((id, number) => ({
    number,
    id,
    lineage: null,
    aggregate: false,
    size: number + 1,
  }));
  const pair = { smaller: 0, larger: 1, containment: 0.9, days: 2, daysMeasured: 2, isProvisional: true };
  expect(placeSources(members, [pair]).map(({ isProvisional }) => isProvisional)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a ring of holders has one head and does not loop for ever', () => {
  const sources = { a: { size: 1 }, b: { size: 3 }, c: { size: 2 } };
  const placed = place(sources, [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ]);
  expect(clustersOf(placed)).toEqual({ a: 'b', b: 'b', c: 'b' });
});

test('a pair of a removed source is skipped', () => {
  const pair = { smaller: 7, larger: 8, containment: 1, days: 7, daysMeasured: 7, isProvisional: false };
  expect(placeSources([], [pair])).toEqual([]);
});
