import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cidr4, type Cidr6, parseIndicator } from '#domain/indicator/index.ts';
import { type Intervals, ipv4Intervals, ipv6Intervals, mergeIntervals, sharedSize } from './coverage.ts';

const pairsOf = ({ starts, ends }: Intervals): number[][] =>
  [...starts].map((start, index) => [start, ends[index] as number]);

function packed(...texts: string[]): Uint8Array {
  return Buffer.concat(
    texts.map((text) => {
      const parsed = parseIndicator(text);
      if (!parsed.ok) throw new Error(text);
      const range = parsed.indicator as Cidr4 | Cidr6;
      const bits = range.kind === 'cidr' ? range.bits : range === undefined ? 0 : 128;
      if ('bytes' in range) return Buffer.from([...range.bytes.subarray(0, 7), bits]);
      const record = Buffer.alloc(5);
      record.writeUInt32BE(range.address);
      record[4] = range.kind === 'cidr' ? bits : 32;
      return record;
    }),
  );
}

describe('one publisher writes two neighbours where another writes the range around them', () => {
  test('both cover the same', () => {
    const [neighbours, range] = [
      ipv4Intervals(packed('198.51.100.0/25', '198.51.100.128/25')),
      ipv4Intervals(packed('198.51.100.0/24')),
    ];
    expect(neighbours).toEqual(range);
    expect(sharedSize(neighbours, range)).toBe(256);
  });

  test('an address inside a range of the same source counts once', () => {
    expect(ipv4Intervals(packed('198.51.100.0/24', '198.51.100.7', '198.51.100.7')).size).toBe(256);
  });

  test('the last address of the space is counted', () => {
    expect(ipv4Intervals(packed('255.255.255.255')).size).toBe(1);
    expect(pairsOf(ipv4Intervals(packed('255.0.0.0/8')))).toEqual([[0xff00_0000, 2 ** 32]]);
  });
});

describe('IPv6 is counted in /56', () => {
  test('two addresses of one site are one, two sites are two', () => {
    expect(ipv6Intervals(packed('2001:470:0:1::1', '2001:470:0:2::1')).size).toBe(1);
    expect(ipv6Intervals(packed('2001:470:0:1::1', '2001:470:0:100::1')).size).toBe(2);
  });

  test('a range counts the sites in it, and holds the addresses in it', () => {
    const range = ipv6Intervals(packed('2a03:2880::/32'));
    expect(range.size).toBe(2 ** 24);
    expect(sharedSize(range, ipv6Intervals(packed('2a03:2880:ffff::1', '2a03:2881::1')))).toBe(1);
  });

  test('the two ends of the allocated space are distinct', () => {
    const ends = ipv6Intervals(packed('2000::1', '3fff:ffff:ffff:ffff::1'));
    expect(pairsOf(ends)).toEqual([
      [0, 1],
      [2 ** 53 - 1, 2 ** 53],
    ]);
  });

  test('addresses outside of it are left out', () => {
    expect(ipv6Intervals(packed('fe80::1', 'fc00::/7')).size).toBe(0);
  });
});

const SPACE = 64;
const ranges = fc.array(fc.tuple(fc.nat(SPACE - 1), fc.integer({ min: 1, max: 9 })), { maxLength: 20 });
const build = (given: readonly (readonly [number, number])[]): Intervals =>
  mergeIntervals(
    Float64Array.from(given.map(([start]) => start)),
    Float64Array.from(given.map(([start, width]) => start + width)),
  );
const points = (given: readonly (readonly [number, number])[]): Set<number> =>
  new Set(given.flatMap(([start, width]) => Array.from({ length: width }, (_, at) => start + at)));

test('any ranges cover the same points as a count one by one', () => {
  fc.assert(
    fc.property(ranges, ranges, (left, right) => {
      const [a, b] = [build(left), build(right)];
      expect(a.size).toBe(points(left).size);
      expect(sharedSize(a, b)).toBe([...points(left)].filter((point) => points(right).has(point)).length);
      expect(sharedSize(b, a)).toBe(sharedSize(a, b));
      // Disjoint and not touching: the smallest possible number of intervals.
      pairsOf(a).forEach(([start], at, all) => {
        if (at > 0) expect(start).toBeGreaterThan(all[at - 1]?.[1] as number);
      });
    }),
  );
});
