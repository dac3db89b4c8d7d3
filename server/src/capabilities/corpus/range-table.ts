import { endianness } from 'node:os';

/**
 * Every listed range of one address family, packed to find the ranges that cover an address. Ranges are sorted by first
 * address, wider first. CIDRs either nest or are disjoint, so the covering ranges are the last one that starts at or
 * before the address and its ancestors: a binary search and a walk (0.3 us at 90 k ranges, against 16 us for probing
 * each prefix length in LMDB). The listings of a range are stored beside it, so a match costs no further read.
 */
export type RangeTable = {
  readonly count: number;
  /** 32-bit words per address: 1 for IPv4, 4 for IPv6, most significant first. */
  readonly words: 1 | 4;
  readonly starts: Uint32Array;
  readonly bits: Uint8Array;
  /** Index of the innermost range around this one; NO_RANGE at the top level. */
  readonly parents: Int32Array;
  /** Start of the listings of range i; one more entry at the end. */
  readonly offsets: Uint32Array;
  readonly listings: Uint8Array;
};
export const NO_RANGE = -1;
/** The prefix length, 64 plus MARK, of a /64 in which an address is listed and which is not listed itself. */
export const SITE_BITS = 192;
const MARK = 128;

export type RangeEntry = { readonly key: Uint8Array; readonly value: Uint8Array };

const HEADER_BYTES = 12;

/** `entries` in key order: kind byte, address, prefix length, as in the replica's keys. */
export function packRanges(entries: readonly RangeEntry[], words: 1 | 4): Uint8Array {
  assertLittleEndian();
  const count = entries.length;
  const listingBytes = entries.reduce((sum, entry) => sum + entry.value.length, 0);
  const layout = layoutOf(count, words, listingBytes);
  const packed = new Uint8Array(layout.end);
  new Uint32Array(packed.buffer, 0, 3).set([count, words, listingBytes]);
  const table = openRanges(packed);
  const around: number[] = [];
  let offset = 0;
  for (const [index, { key, value }] of entries.entries()) {
    const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
    for (let word = 0; word < words; word += 1)
      table.starts[index * words + word] = view.getUint32(1 + word * 4);
    table.bits[index] = key[key.length - 1] as number;
    while (around.length > 0 && !contains(table, around.at(-1) as number, index)) around.pop();
    table.parents[index] = around.at(-1) ?? NO_RANGE;
    around.push(index);
    table.offsets[index] = offset;
    table.listings.set(value, offset);
    offset += value.length;
  }
  table.offsets[count] = offset;
  return packed;
}

/** Returns views over the packed bytes, which are copied first if they are not aligned to a word. */
export function openRanges(packed: Uint8Array): RangeTable {
  assertLittleEndian();
  const aligned = packed.byteOffset % 4 === 0 ? packed : new Uint8Array(packed);
  const { buffer, byteOffset } = aligned;
  const [count = 0, words = 1, listingBytes = 0] = new Uint32Array(buffer, byteOffset, 3);
  if (words !== 1 && words !== 4) throw new Error('A range table must hold IPv4 or IPv6 addresses.');
  const layout = layoutOf(count, words, listingBytes);
  if (aligned.byteLength !== layout.end) throw new Error('A range table has the wrong length.');
  return {
    count,
    words,
    starts: new Uint32Array(buffer, byteOffset + layout.starts, count * words),
    parents: new Int32Array(buffer, byteOffset + layout.parents, count),
    offsets: new Uint32Array(buffer, byteOffset + layout.offsets, count + 1),
    bits: new Uint8Array(buffer, byteOffset + layout.bits, count),
    listings: new Uint8Array(buffer, byteOffset + layout.listings, listingBytes),
  };
}

function layoutOf(count: number, words: number, listingBytes: number) {
  const starts = HEADER_BYTES;
  const parents = starts + count * words * 4;
  const offsets = parents + count * 4;
  const bits = offsets + (count + 1) * 4;
  const listings = bits + count;
  return { starts, parents, offsets, bits, listings, end: listings + listingBytes };
}

export function innermost4(table: RangeTable, address: number): number {
  const { starts } = table;
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= address) low = middle + 1;
    else high = middle;
  }
  let index = low - 1;
  while (index >= 0 && !covers4(table, index, address)) index = table.parents[index] as number;
  return index;
}

export function innermost6(table: RangeTable, address: Uint32Array): number {
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startsAfter6(table, middle, address)) high = middle;
    else low = middle + 1;
  }
  let index = low - 1;
  while (index >= 0 && !covers6(table, index, address)) index = table.parents[index] as number;
  return index;
}

export const widerRange = (table: RangeTable, index: number): number => table.parents[index] as number;

function covers4(table: RangeTable, index: number, address: number): boolean {
  return ((address ^ (table.starts[index] as number)) & maskOf(table.bits[index] as number)) === 0;
}

function covers6(table: RangeTable, index: number, address: Uint32Array): boolean {
  const bits = widthOf(table.bits[index] as number);
  for (let word = 0; word < 4 && word * 32 < bits; word += 1) {
    const mask = maskOf(Math.min(32, bits - word * 32));
    if ((((address[word] as number) ^ (table.starts[index * 4 + word] as number)) & mask) !== 0) return false;
  }
  return true;
}

function startsAfter6(table: RangeTable, index: number, address: Uint32Array): boolean {
  for (let word = 0; word < 4; word += 1) {
    const start = table.starts[index * 4 + word] as number;
    const wanted = address[word] as number;
    if (start !== wanted) return start > wanted;
  }
  return false;
}

export const widthOf = (bits: number): number => (bits > MARK ? bits - MARK : bits);

/** A shift by 32 is a shift by 0 in JavaScript, so /0 is a case of its own. */
const maskOf = (bits: number): number => (bits === 0 ? 0 : -1 << (32 - bits));

function contains(table: RangeTable, outer: number, inner: number): boolean {
  const { words, starts } = table;
  return words === 1
    ? covers4(table, outer, starts[inner] as number)
    : covers6(table, outer, starts.subarray(inner * 4, inner * 4 + 4));
}

function assertLittleEndian(): void {
  if (endianness() !== 'LE') throw new Error('Range tables need a little-endian processor.');
}
