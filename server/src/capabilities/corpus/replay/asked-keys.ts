import { type Asn, hostOf, type Indicator } from '#domain/indicator/index.ts';
import { ALIASES, LISTINGS, RANGES_4, RANGES_6, RELATED, SOURCES } from '../dataset.ts';
import { KIND } from '../indicator-key.ts';
import type { CorpusView } from '../listing-reader.ts';
import { openCorpus } from '../lookup.ts';
import { packRanges } from '../range-table.ts';

/** Every key that a lookup may read, independent of the content of the corpus. */
export type AskedKeys = {
  /** Exact values, parents, and every range that could cover an address. */
  readonly listings: readonly Buffer[];
  readonly aliases: readonly Buffer[];
  /** Hosts and registrable domains, for listings of their pages and of names below them. */
  readonly related: readonly Buffer[];
  /** First and last key of the IPv6 /64 around an address. */
  readonly sites: readonly { readonly first: Buffer; readonly last: Buffer }[];
};

/**
 * Runs the real lookup on an empty corpus and records the keys it reads. Only an existing entry can stop the walk
 * early, so these are all keys that it could ever read, and no rule of the walk is written twice.
 */
export function askedKeys(indicators: readonly (Indicator | Asn)[]): AskedKeys {
  const asked = new Map<string, Map<string, Buffer>>();
  const corpus = openCorpus({ view: () => recordingView(asked) });
  const sites = [];
  for (const indicator of indicators) {
    corpus.lookup(indicator);
    const address = addressOf(indicator);
    if (address === null) continue;
    for (const key of rangeKeys(address)) remember(asked, LISTINGS, key);
    if (address.kind === 'ip' && address.version === 6) sites.push(siteOf(address.bytes));
  }
  const keysOf = (collection: string) => [...(asked.get(collection)?.values() ?? [])];
  return { listings: keysOf(LISTINGS), aliases: keysOf(ALIASES), related: keysOf(RELATED), sites };
}

function recordingView(asked: Map<string, Map<string, Buffer>>): CorpusView {
  const empty = new Map<string, Uint8Array>([
    [SOURCES, Buffer.from('[]')],
    [RANGES_4, packRanges([], 1)],
    [RANGES_6, packRanges([], 4)],
  ]);
  return {
    seq: 0,
    get: (collection, key) => {
      // Copied, because the walk writes every key into the same few buffers.
      remember(asked, collection, Buffer.from(key));
      return undefined;
    },
    memo: (_name, build) => build({ derived: (name) => empty.get(name) ?? new Uint8Array() }),
  };
}

function remember(asked: Map<string, Map<string, Buffer>>, collection: string, key: Buffer): void {
  const keys = asked.get(collection) ?? new Map<string, Buffer>();
  asked.set(collection, keys.set(key.toString('latin1'), key));
}

type Address = Extract<Indicator, { kind: 'ip' | 'cidr' }>;

function addressOf(indicator: Indicator | Asn): Address | null {
  if (indicator.kind === 'asn') return null;
  if (indicator.kind === 'cidr') return indicator;
  const host = hostOf(indicator);
  return host?.kind === 'ip' ? host : null;
}

/** Every range that could cover an address: 33 keys for IPv4, 129 for IPv6. */
function rangeKeys(address: Address): readonly Buffer[] {
  const bytes = bytesOf(address);
  const kind = address.version === 4 ? KIND.cidr4 : KIND.cidr6;
  return Array.from({ length: bytes.length * 8 + 1 }, (_, bits) =>
    Buffer.from([kind, ...maskedTo(bytes, bits), bits]),
  );
}

function bytesOf(address: Address): Uint8Array {
  if (address.version === 6) return address.bytes;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(address.address);
  return bytes;
}

const maskedTo = (bytes: Uint8Array, bits: number): Uint8Array =>
  bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))));

const SITE_BYTES = 8;

function siteOf(bytes: Uint8Array): AskedKeys['sites'][number] {
  const site = bytes.subarray(0, SITE_BYTES);
  const key = (fill: number) => Buffer.from([KIND.ipv6, ...site, ...new Uint8Array(SITE_BYTES).fill(fill)]);
  return { first: key(0), last: key(0xff) };
}
