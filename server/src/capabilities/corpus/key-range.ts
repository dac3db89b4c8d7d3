import type { Cidr4, Cidr6 } from '#domain/indicator/index.ts';
import { KIND } from './indicator-key.ts';

/** Keys from `from` up to but excluding `to`. */
export type KeyRange = { readonly from: Buffer; readonly to: Buffer };

/** The keys of all single addresses in a range. */
export function addressKeys(range: Cidr4 | Cidr6): KeyRange {
  const from = firstKey(range, range.version === 4 ? KIND.ipv4 : KIND.ipv6);
  return { from, to: keyAfter(from, range.bits) };
}

/** The keys of all ranges that begin in a range: those inside it, itself, and wider ones with the same first address. */
export function rangeKeys(range: Cidr4 | Cidr6): KeyRange {
  const from = firstKey(range, range.version === 4 ? KIND.cidr4 : KIND.cidr6);
  return { from, to: keyAfter(from, range.bits) };
}

function firstKey(range: Cidr4 | Cidr6, kind: number): Buffer {
  if (range.version === 6) return Buffer.from([kind, ...range.bytes]);
  const key = Buffer.alloc(5);
  key[0] = kind;
  key.writeUInt32BE(range.address, 1);
  return key;
}

/** The first key after the range; for a range of all addresses the first key of the next kind. */
function keyAfter(first: Buffer, bits: number): Buffer {
  const next = Buffer.from(first);
  if (bits === 0) {
    next[0] = (first[0] as number) + 1;
    return next;
  }
  let at = 1 + ((bits - 1) >> 3);
  let step = 1 << (7 - ((bits - 1) & 7));
  for (; at >= 0; at -= 1) {
    const sum = (next[at] as number) + step;
    next[at] = sum & 0xff;
    if (sum <= 0xff) break;
    step = 1;
  }
  return next;
}
