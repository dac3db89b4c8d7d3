/**
 * The part of the address space that a source covers. Sources are compared by addresses and not by equal lines, because
 * one publisher writes two neighbours where another writes the range around them (scoring ruling 4).
 */

/** Sorted, disjoint, neighbours merged: from `starts[i]` up to but excluding `ends[i]`. */
export type Intervals = {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly size: number;
};

export const NO_INTERVALS: Intervals = {
  starts: new Float64Array(0),
  ends: new Float64Array(0),
  size: 0,
};

/** Four bytes of address and one of prefix length. */
export const PACKED_4_BYTES = 5;
/** Seven bytes of address and one of prefix length. */
export const PACKED_6_BYTES = 8;
/**
 * IPv6 is counted in /56, the smallest block that a provider gives to one site (RFC 6177). Inside 2000::/3, the only
 * allocated space, their numbers have 53 bits: exactly what a double holds.
 */
const SITE_BITS = 56;
const GLOBAL_UNICAST_BITS = 3;

/** Records of PACKED_4_BYTES, in any order; duplicates are allowed. */
export function ipv4Intervals(packed: Uint8Array): Intervals {
  const count = Math.floor(packed.length / PACKED_4_BYTES);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const at = index * PACKED_4_BYTES;
    const start = view.getUint32(at);
    starts[index] = start;
    ends[index] = start + 2 ** (32 - view.getUint8(at + 4));
  }
  return mergeIntervals(starts, ends);
}

/** Records of PACKED_6_BYTES, in any order; duplicates are allowed. Records outside 2000::/3 are left out. */
export function ipv6Intervals(packed: Uint8Array): Intervals {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at + PACKED_6_BYTES <= packed.length; at += PACKED_6_BYTES) {
    const high = view.getUint32(at);
    const bits = view.getUint8(at + 7);
    if (high >>> 29 !== 1 || bits < GLOBAL_UNICAST_BITS) continue;
    // 29 bits of the first word, then three bytes.
    const start = (high & 0x1fff_ffff) * 2 ** 24 + (view.getUint32(at + 3) & 0xff_ffff);
    starts.push(start);
    ends.push(start + 2 ** Math.max(0, SITE_BITS - bits));
  }
  return mergeIntervals(Float64Array.from(starts), Float64Array.from(ends));
}

/**
 * Sorts starts and ends separately: an interval is open while more starts than ends have passed, so no end needs to be
 * matched with its start.
 */
export function mergeIntervals(starts: Float64Array, ends: Float64Array): Intervals {
  starts.sort();
  ends.sort();
  let merged = 0;
  let size = 0;
  let closed = 0;
  for (let opened = 0; opened < starts.length; ) {
    const start = starts[opened] as number;
    let end = start;
    // An interval ends where nothing is open and the next one starts after it; touching ones are merged.
    while (closed < opened || (opened < starts.length && (starts[opened] as number) <= end)) {
      if (opened < starts.length && (starts[opened] as number) <= (ends[closed] as number)) opened += 1;
      else {
        end = ends[closed] as number;
        closed += 1;
      }
    }
    starts[merged] = start;
    ends[merged] = end;
    merged += 1;
    size += end - start;
  }
  return { starts: starts.slice(0, merged), ends: ends.slice(0, merged), size };
}

export function sharedSize(a: Intervals, b: Intervals): number {
  let shared = 0;
  let i = 0;
  let j = 0;
  while (i < a.starts.length && j < b.starts.length) {
    const endA = a.ends[i] as number;
    const endB = b.ends[j] as number;
    const width = Math.min(endA, endB) - Math.max(a.starts[i] as number, b.starts[j] as number);
    if (width > 0) shared += width;
    if (endA < endB) i += 1;
    else j += 1;
  }
  return shared;
}
