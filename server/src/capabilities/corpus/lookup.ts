import {
  type Cidr4,
  type Cidr6,
  type Domain,
  type Ip,
  type Listable,
  platformAround,
  TENANT_PLATFORMS,
} from '#domain/indicator/index.ts';
import {
  type AccusedKeys,
  accusedBetween,
  type KeySpan,
  type ListedKeys,
  listedBetween,
} from './accused-between.ts';
import { type AccusedWithin, accusedWithin } from './accused-within.ts';
import { ALIASES } from './dataset.ts';
import { type DescribedWithin, describedWithin } from './described-within.ts';
import { createKeyWriter, hashKeyBytes, type KeyWriter } from './indicator-key.ts';
import { type CorpusView, type Listing, ListingReader, type Registry } from './listing-reader.ts';
import { type Neighbourhood, neighbourhoodOf } from './neighbourhood.ts';

export type CorpusAnswer = {
  readonly listings: readonly Listing[];
  readonly seq: number;
  readonly registry: Registry;
};

export type Corpus = {
  /** Every listing that bears on the indicator, from one state of the replica, without network access. */
  readonly lookup: (indicator: Listable) => CorpusAnswer;
  /** How many other addresses in the /24 or IPv6 /48 of this address are listed as threats. */
  readonly neighbourhood: (ip: Ip) => Neighbourhood;
  readonly accusedWithin: (range: Cidr4 | Cidr6, limit: number) => AccusedWithin;
  readonly seq: () => number;
};

/** A corpus whose listed keys can also be walked, besides lookups of one indicator. */
export type WalkableCorpus = Corpus & {
  /** One step of a walk through the accused keys of a span. */
  readonly accusedBetween: (span: KeySpan, keysMax: number) => AccusedKeys;
  /** One step of a walk through all keys of a span, accused or not. */
  readonly listedBetween: (span: KeySpan, keysMax: number) => ListedKeys;
  /** What sources that accuse nothing name inside a range. */
  readonly describedWithin: (range: Cidr4 | Cidr6, keysMax: number) => DescribedWithin;
  /** Keys of the other digests of a file; empty for every other key. */
  readonly siblingsOf: (key: Uint8Array) => readonly Uint8Array[];
  readonly registry: () => Registry;
};

export type CorpusReplica = { readonly view: () => CorpusView };

export function openCorpus(replica: CorpusReplica): WalkableCorpus {
  const keys = createKeyWriter();
  let reader: ListingReader | null = null;
  return {
    seq: () => replica.view().seq,
    neighbourhood: (ip) => {
      const view = replica.view();
      reader ??= new ListingReader(view);
      reader.begin(view);
      return neighbourhoodOf(view, reader, ip);
    },
    accusedWithin: (range, limit) => {
      const view = replica.view();
      reader ??= new ListingReader(view);
      reader.begin(view);
      return accusedWithin(view, reader, range, limit);
    },
    accusedBetween: (span, keysMax) => {
      const view = replica.view();
      reader ??= new ListingReader(view);
      reader.begin(view);
      return accusedBetween(view, reader, span, keysMax);
    },
    describedWithin: (range, keysMax) => {
      const view = replica.view();
      reader ??= new ListingReader(view);
      reader.begin(view);
      return describedWithin(view, reader, range, keysMax);
    },
    listedBetween: (span, keysMax) => listedBetween(replica.view(), span, keysMax),
    siblingsOf: (key) => siblingsOf(replica.view(), key),
    registry: () => {
      const view = replica.view();
      reader ??= new ListingReader(view);
      reader.begin(view);
      return reader.registry;
    },
    lookup: (indicator) => {
      const view = replica.view();
      // Opened late, because a node may build its replica after the application is assembled.
      reader ??= new ListingReader(view);
      reader.begin(view);
      gather(reader, keys, indicator);
      return { listings: reader.listings, seq: view.seq, registry: reader.registry };
    },
  };
}

function gather(reader: ListingReader, keys: KeyWriter, indicator: Listable): void {
  switch (indicator.kind) {
    case 'ip':
      readIp(reader, keys, indicator);
      reader.readRelated(keys.of(indicator), indicator.value);
      break;
    case 'domain':
      readDomain(reader, keys, indicator, 'exact');
      reader.readRelated(keys.of(indicator), indicator.value);
      break;
    case 'url':
      reader.read(keys.of(indicator), 'exact', indicator.value);
      if (indicator.host.kind === 'ip') readIp(reader, keys, indicator.host);
      else readDomain(reader, keys, indicator.host, 'exact');
      // Other pages of the host say little about this page; but a URL of a bare host asks about the host (trap 14).
      if (namesOnlyHost(indicator.value)) reader.readRelated(keys.of(indicator.host), indicator.host.value);
      break;
    case 'hash': {
      const key = keys.of(indicator);
      reader.read(key, 'exact', indicator.value);
      reader.readAliases(key);
      break;
    }
    case 'email':
      reader.read(keys.of(indicator), 'exact', indicator.value);
      readDomain(reader, keys, indicator.domain, 'parent');
      break;
    case 'asn':
    case 'crypto':
    case 'phone':
      reader.read(keys.of(indicator), 'exact', indicator.value);
      break;
    case 'cidr':
      reader.read(keys.of(indicator), 'exact', indicator.value);
      if (indicator.version === 4) reader.readRanges4(indicator.address, indicator.bits);
      else reader.readRanges6(indicator.bytes, indicator.bits);
      break;
  }
}

function siblingsOf(view: CorpusView, key: Uint8Array): readonly Uint8Array[] {
  const stored = view.get(ALIASES, key);
  if (stored === undefined) return [];
  const own = Uint8Array.from(stored);
  const siblings: Uint8Array[] = [];
  for (let at = 0; at < own.length; at += hashKeyBytes(own, at))
    siblings.push(own.subarray(at, at + hashKeyBytes(own, at)));
  return siblings;
}

/** Canonical URLs always have a path; for a bare host it is the single slash at the end. */
const namesOnlyHost = (url: string): boolean => url.indexOf('/', url.indexOf('//') + 2) === url.length - 1;

function readIp(reader: ListingReader, keys: KeyWriter, ip: Ip): void {
  reader.read(keys.of(ip), 'exact', ip.value);
  if (ip.version === 4) reader.readRanges4(ip.address, 33);
  else reader.readRanges6(ip.bytes, 129);
}

/** Whether the parent that starts at `start` is a platform or lies above one. */
function isShared(name: string, start: number): boolean {
  const platform = platformAround(name);
  if (platform === null || platform.length < name.length - start) return false;
  // The label `www` below a platform of our own table is the platform itself and not a tenant, so it inherits.
  return !(TENANT_PLATFORMS.has(platform) && name === `www.${platform}`);
}

/**
 * Reads the name, then its parents down to and including the registrable domain, never above it. A parent under which
 * strangers register names (github.io) says nothing about them, and neither do the names above it: 42 % of phishing
 * hosts lie below such names.
 */
function readDomain(
  reader: ListingReader,
  keys: KeyWriter,
  { value, registrable }: Domain,
  matchType: 'exact' | 'parent',
): void {
  reader.read(keys.domainAt(value, 0), matchType, value);
  if (registrable === null) return;
  const last = value.length - registrable.length;
  let start = value.indexOf('.') + 1;
  while (start > 0 && start <= last) {
    if (!reader.readParent(keys.domainAt(value, start), value, start, isShared)) return;
    start = value.indexOf('.', start) + 1;
  }
}
