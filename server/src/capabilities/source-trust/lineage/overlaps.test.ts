import { describe, expect, test } from 'vitest';
import { ipv4Intervals, NO_INTERVALS } from './coverage.ts';
import { type Extent, measureOverlaps, overlapOf } from './overlaps.ts';

const EMPTY = { entries: 0, covered: NO_INTERVALS };
const source = (number: number, given: Partial<Extent> = {}): Extent => ({
  number,
  id: `source-${number}`,
  ipv4: EMPTY,
  ipv6: EMPTY,
  keys: 0,
  ...given,
});
/** First octet, rest zero, prefix length. */
const ranges = (...given: (readonly [octet: number, bits: number])[]): Extent['ipv4'] => ({
  entries: given.length,
  covered: ipv4Intervals(Uint8Array.from(given.flatMap(([octet, bits]) => [octet, 0, 0, 0, bits]))),
});

describe('containment is the share of the smaller source', () => {
  test('of names', () => {
    const [small, large] = [source(1, { keys: 100 }), source(2, { keys: 1_000 })];
    expect(overlapOf(large, small, 96)).toMatchObject({ smaller: 1, larger: 2, containment: 0.96 });
  });

  test('of addresses, not of lines', () => {
    const one = source(1, { ipv4: ranges([9, 16], [11, 32]) });
    const other = source(2, { ipv4: ranges([9, 15]) });
    const { containment, smaller } = overlapOf(one, other, 0);
    expect(smaller).toBe(1);
    expect(containment).toBeCloseTo(65_536 / 65_537, 9);
  });

  test('sources of the same size are ordered by name, in any input order', () => {
    const [a, b] = [source(8, { keys: 5 }), source(4, { keys: 5 })];
    expect(overlapOf(a, b, 5)).toEqual(overlapOf(b, a, 5));
    expect(overlapOf(a, b, 5).smaller).toBe(4);
  });
});

test('one wide range does not outweigh a thousand names', () => {
  const mixed = source(1, { keys: 999, ipv4: ranges([9, 8]) });
  const range = source(2, { ipv4: ranges([9, 8], [11, 8], [12, 8]) });
  // One of 1,000 entries of `mixed` lies in `range`, and one of the three ranges of `range` lies in `mixed`.
  expect(overlapOf(mixed, range, 0)).toMatchObject({ smaller: 2, larger: 1 });
  expect(overlapOf(mixed, range, 0).containment).toBeCloseTo(1 / 3, 9);
  expect(overlapOf(mixed, source(3, { keys: 9_999 }), 990).containment).toBe(0.99);
});

test('an empty source lies in no other', () => {
  expect(overlapOf(source(1), source(2, { keys: 9 }), 0).containment).toBe(0);
});

test('pairs come from the sets of sources that list one key; those below one half are not stored', () => {
  const extents = [source(1, { keys: 10 }), source(2, { keys: 10 }), source(3, { keys: 100 })];
  const sets = [
    { sources: [1, 2, 3], keys: 4 },
    { sources: [1, 3], keys: 5 },
    { sources: [2], keys: 6 },
    { sources: [1], keys: 1 },
  ];
  const found = [...measureOverlaps(extents, sets)].flat();
  expect(found.map(({ smaller, larger, containment }) => [smaller, larger, containment])).toEqual([
    [1, 3, 0.9],
  ]);
});
