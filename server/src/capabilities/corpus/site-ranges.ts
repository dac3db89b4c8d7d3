import { KIND } from './indicator-key.ts';
import { foldListings, isDelistedAt, nextListing, sourceNumberAt, withoutNames } from './listing-value.ts';
import { type RangeEntry, SITE_BITS } from './range-table.ts';

const KEY_BYTES = 18;
const SITE_BYTES = 8;

/**
 * Inserts the /64 around each listed IPv6 address into the listed ranges. One customer gets a /64, so another address
 * there is usually the same customer's (scoring 4). Both lists are in key order; the result is in the order of the
 * table.
 */
export function withSites(
  ranges: readonly RangeEntry[],
  addresses: readonly RangeEntry[],
): readonly RangeEntry[] {
  const sites = [...sitesOf(addresses)];
  if (sites.length === 0) return ranges;
  const merged: RangeEntry[] = [];
  let next = 0;
  for (const range of ranges) {
    while (next < sites.length && isBefore(sites[next] as RangeEntry, range))
      merged.push(sites[next++] as RangeEntry);
    merged.push(range);
  }
  return [...merged, ...sites.slice(next)];
}

/** Order of the table: by first address, wider first; a listed /64 comes before the site of the same /64. */
function isBefore(site: RangeEntry, range: RangeEntry): boolean {
  const order = Buffer.compare(site.key.subarray(1, KEY_BYTES - 1), range.key.subarray(1, KEY_BYTES - 1));
  return order === 0 ? (range.key[KEY_BYTES - 1] as number) > SITE_BYTES * 8 : order < 0;
}

function* sitesOf(addresses: readonly RangeEntry[]): Generator<RangeEntry> {
  let key: Buffer | null = null;
  let bySource = new Map<number, Uint8Array>();
  for (const address of addresses) {
    const site = siteKeyOf(address.key);
    if (key !== null && !key.equals(site)) {
      if (bySource.size > 0) yield { key, value: packedOf(bySource) };
      bySource = new Map();
    }
    key = site;
    fold(bySource, address.value);
  }
  if (key !== null && bySource.size > 0) yield { key, value: packedOf(bySource) };
}

function siteKeyOf(address: Uint8Array): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  key[0] = KIND.cidr6;
  key.set(address.subarray(1, 1 + SITE_BYTES), 1);
  key[KEY_BYTES - 1] = SITE_BITS;
  return key;
}

/** Folds listings of addresses in a /64 into one per source. Dropped ones do not count for neighbours. */
function fold(bySource: Map<number, Uint8Array>, value: Uint8Array): void {
  for (let at = 0; at < value.length; at = nextListing(value, at)) {
    if (isDelistedAt(value, at)) continue;
    const listing = withoutNames(value, at);
    const before = bySource.get(sourceNumberAt(listing, 0));
    bySource.set(sourceNumberAt(listing, 0), before === undefined ? listing : foldListings(before, listing));
  }
}

const packedOf = (bySource: ReadonlyMap<number, Uint8Array>): Uint8Array =>
  Buffer.concat([...bySource].sort(([a], [b]) => a - b).map(([, listing]) => listing));
