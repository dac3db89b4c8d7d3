import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cidr4, type Cidr6, parseIndicator } from '#domain/indicator/index.ts';
import { bySize } from '#test/lane.ts';
import { keyOf } from './indicator-key.ts';
import {
  innermost4,
  innermost6,
  NO_RANGE,
  openRanges,
  packRanges,
  type RangeTable,
  widerRange,
} from './range-table.ts';

type Range = { readonly first: bigint; readonly bits: number; readonly width: 32 | 128 };

const first = (address: bigint, bits: number, width: number): bigint =>
  (address >> BigInt(width - bits)) << BigInt(width - bits);
const covers = (range: Range, address: bigint): boolean =>
  first(address, range.bits, range.width) === range.first;

const text = (address: bigint, width: 32 | 128): string => {
  const hex = address.toString(16).padStart(width / 4, '0');
  const part = width === 32 ? 2 : 4;
  const groups = hex.match(new RegExp(`.{${part}}`, 'g')) ?? [];
  return width === 32 ? groups.map((group) => Number.parseInt(group, 16)).join('.') : groups.join(':');
};

function cidr(range: Range): Cidr4 | Cidr6 {
  const parsed = parseIndicator(`${text(range.first, range.width)}/${range.bits}`);
  if (!parsed.ok || parsed.indicator.kind !== 'cidr')
    throw new Error(`not a range: ${JSON.stringify(parsed)}`);
  return parsed.indicator;
}

/** The value of a range is its index in the list, so that offsets are tested as well. */
function pack(ranges: readonly Range[], words: 1 | 4): RangeTable {
  const entries = ranges
    .map((range, index) => ({ key: keyOf(cidr(range)), value: Uint8Array.of(index, index, index) }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  return openRanges(packRanges(entries, words));
}

function found(table: RangeTable, address: bigint): number[] {
  const words = Uint32Array.from({ length: 4 }, (_, word) =>
    Number((address >> BigInt(96 - word * 32)) & 0xffff_ffffn),
  );
  const start = table.words === 1 ? innermost4(table, Number(address)) : innermost6(table, words);
  const indexes: number[] = [];
  for (let index = start; index !== NO_RANGE; index = widerRange(table, index)) {
    const [at = 0, end = 0] = table.offsets.subarray(index, index + 2);
    expect(end - at).toBe(3);
    indexes.push(table.listings[at] as number);
  }
  return indexes;
}

/** Few distinct high bits, so that ranges nest, touch and repeat often. */
const ranges = (width: 32 | 128, bitsMin: number) =>
  fc.uniqueArray(
    fc
      .record({
        top: fc.constantFrom(0x0b, 0x0c, 0x40, 0xc6),
        next: fc.constantFrom(0, 1, 0x80, 0xff),
        rest: fc.bigInt(0n, (1n << BigInt(width - 16)) - 1n),
        bits: fc.integer({ min: bitsMin, max: width - 1 }),
      })
      .map(({ top, next, rest, bits }): Range => {
        const address = (BigInt(top * 256 + next) << BigInt(width - 16)) | rest;
        return { first: first(address, bits, width), bits, width };
      }),
    { selector: (range) => `${range.first}/${range.bits}`, maxLength: 40 },
  );

for (const [name, width, words, bitsMin] of [
  ['IPv4', 32, 1, 1],
  ['IPv6', 128, 4, 1],
] as const)
  test(`every covering ${name} range is found, innermost first, and no other`, () => {
    fc.assert(
      fc.property(
        ranges(width, bitsMin),
        fc.array(fc.bigInt(0n, (1n << BigInt(width)) - 1n), { maxLength: 20 }),
        (list, anywhere) => {
          const table = pack(list, words);
          const edges = list.flatMap((range) => {
            const last = range.first + (1n << BigInt(width - range.bits)) - 1n;
            return [range.first, last, range.first - 1n, last + 1n, (range.first + last) / 2n];
          });
          for (const address of [...anywhere, ...edges]) {
            if (address < 0n || address >= 1n << BigInt(width)) continue;
            const expected = [...list.keys()]
              .filter((index) => covers(list[index] as Range, address))
              .sort((a, b) => (list[b] as Range).bits - (list[a] as Range).bits);
            expect(found(table, address)).toEqual(expected);
          }
        },
      ),
      { numRuns: bySize(50, 150) },
    );
  });

test('a table without ranges covers nothing', () => {
  expect(innermost4(openRanges(packRanges([], 1)), 0x01020304)).toBe(NO_RANGE);
  expect(innermost6(openRanges(packRanges([], 4)), new Uint32Array(4))).toBe(NO_RANGE);
});

test('a table read from an odd address in memory is the same table', () => {
  const packed = packRanges([{ key: Uint8Array.of(3, 10, 0, 0, 0, 8), value: new Uint8Array(11) }], 1);
  const shifted = new Uint8Array(packed.length + 1);
  shifted.set(packed, 1);
  expect(innermost4(openRanges(shifted.subarray(1)), 0x0a010203)).toBe(0);
});

test('a cut table is refused', () => {
  const packed = packRanges([{ key: Uint8Array.of(3, 10, 0, 0, 0, 8), value: new Uint8Array(11) }], 1);
  expect(() => openRanges(packed.subarray(0, packed.length - 1))).toThrow('wrong length');
});
