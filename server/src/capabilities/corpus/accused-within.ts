import { type Cidr4, type Cidr6, formatIpv4, formatIpv6 } from '#domain/indicator/index.ts';
import { LISTINGS } from './dataset.ts';
import { KIND } from './indicator-key.ts';
import { addressKeys } from './key-range.ts';
import type { CorpusView, ListingReader } from './listing-reader.ts';

export type AccusedWithin = {
  /** Single addresses that a source accuses now, lowest first, at most `limit` of them. */
  readonly addresses: readonly string[];
  /** The number of such addresses; a lower bound when the range holds more keys than are read. */
  readonly total: number;
  /** How many addresses the part of the range has in which they were counted, or /64s of IPv6. */
  readonly space: number;
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
  const { from, to } = addressKeys(range);
  const keys = view.keysBetween?.(LISTINGS, from, to, KEYS_MAX) ?? [];
  const accused = keys.filter((key) => key.length === from.length && reader.isAccused(key));
  const last = keys.length < KEYS_MAX ? undefined : keys.at(-1);
  return {
    addresses: accused.slice(0, limit).map(addressOf),
    total: accused.length,
    space: last === undefined ? addressUnitsOf(range) : placeOf(last) - placeOf(from) + 1,
  };
}

/** The size of a range in addresses, or in /64s of IPv6: one customer of IPv6 has a /64, so that is counted. */
export const addressUnitsOf = ({ version, bits }: Cidr4 | Cidr6): number =>
  2 ** Math.max(0, (version === 4 ? 32 : 64) - bits);

/** The number of an IPv4 address, or of the /64 of an IPv6 address. */
function placeOf(key: Uint8Array): number {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return bytes[0] === KIND.ipv4 ? bytes.readUInt32BE(1) : Number(bytes.readBigUInt64BE(1));
}

const addressOf = (key: Uint8Array): string => {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return bytes[0] === KIND.ipv4 ? formatIpv4(bytes.readUInt32BE(1)) : formatIpv6(bytes.subarray(1));
};
