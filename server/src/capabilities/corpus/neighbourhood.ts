import { formatIpv4, formatIpv6, type Ip } from '#domain/indicator/index.ts';
import { LISTINGS } from './dataset.ts';
import { keyOf } from './indicator-key.ts';
import type { CorpusView, ListingReader } from './listing-reader.ts';

export type Neighbourhood = {
  /** The /24 around an IPv4 address, the /48 around an IPv6 one. */
  readonly prefix: string;
  /** How many addresses a /24 has, or /64s a /48, because one customer of IPv6 gets a /64. */
  readonly total: number;
  /** How many of `total` a source accuses now; a lower bound for a densely listed /48. */
  readonly listed: number;
};

const ADDRESSES_OF_24 = 256;
const SITES_OF_48 = 65_536;
/** Bytes of a key, with the kind byte. */
const KEY_BYTES_24 = 4;
const KEY_BYTES_48 = 7;
const KEY_BYTES_64 = 9;
/** More than any /48 of real lists holds; 4 ms of reading. */
const KEYS_MAX = 4_096;

export function neighbourhoodOf(view: CorpusView, reader: ListingReader, ip: Ip): Neighbourhood {
  const bytes = ip.version === 4 ? KEY_BYTES_24 : KEY_BYTES_48;
  const from = keyOf(ip);
  from.fill(0, bytes);
  const to = afterPrefix(from, bytes);
  const keys = view.keysBetween?.(LISTINGS, from, to, KEYS_MAX) ?? [];
  const accused = keys.filter((key) => key.length === from.length && reader.isAccused(key));
  return ip.version === 4
    ? { prefix: `${formatIpv4(ip.address & ~0xff)}/24`, total: ADDRESSES_OF_24, listed: accused.length }
    : { prefix: `${formatIpv6(from.subarray(1))}/48`, total: SITES_OF_48, listed: sitesOf(accused) };
}

const sitesOf = (keys: readonly Uint8Array[]): number =>
  new Set(keys.map((key) => Buffer.from(key.subarray(0, KEY_BYTES_64)).toString('latin1'))).size;

/** The first key after all keys with this prefix; for the last prefix the first key of the next kind. */
function afterPrefix(key: Uint8Array, bytes: number): Uint8Array {
  const next = Uint8Array.from(key.subarray(0, bytes));
  for (let at = bytes - 1; at >= 0; at -= 1) {
    next[at] = ((next[at] as number) + 1) & 0xff;
    if (next[at] !== 0) break;
  }
  return next;
}
