import { type Cidr4, type Cidr6, formatIpv4, formatIpv6 } from '#domain/indicator/index.ts';
import { LISTINGS } from './dataset.ts';
import { KIND } from './indicator-key.ts';
import type { CorpusView, ListingReader } from './listing-reader.ts';

export type AccusedWithin = {
  /** Single addresses that a source accuses now, lowest first, at most `limit` of them. */
  readonly addresses: readonly string[];
  /** The number of such addresses; a lower bound when the range holds more keys than are read. */
  readonly total: number;
};

/** The most keys that are read, in about 2 ms. A wide range may hold more; `total` is then a lower bound. */
const KEYS_MAX = 1_000;

/** The accused single addresses of a range, found by one walk through the replica in key order. */
export function accusedWithin(
  view: CorpusView,
  reader: ListingReader,
  range: Cidr4 | Cidr6,
  limit: number,
): AccusedWithin {
  const first = firstKey(range);
  const keys = view.keysBetween?.(LISTINGS, first, keyAfter(first, range.bits), KEYS_MAX) ?? [];
  const accused = keys.filter((key) => key.length === first.length && reader.isAccused(key));
  return { addresses: accused.slice(0, limit).map(addressOf), total: accused.length };
}

function firstKey(range: Cidr4 | Cidr6): Buffer {
  if (range.version === 6) return Buffer.from([KIND.ipv6, ...range.bytes]);
  const key = Buffer.alloc(5);
  key[0] = KIND.ipv4;
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

const addressOf = (key: Uint8Array): string => {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return bytes[0] === KIND.ipv4 ? formatIpv4(bytes.readUInt32BE(1)) : formatIpv6(bytes.subarray(1));
};
