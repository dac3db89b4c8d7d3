import {
  type Cidr4,
  type Cidr6,
  type Domain,
  type Ip,
  type Listable,
  platformSuffix,
} from '#domain/indicator/index.ts';
import { type AccusedWithin, accusedWithin } from './accused-within.ts';
import { createKeyWriter, type KeyWriter } from './indicator-key.ts';
import { type CorpusView, type Listing, ListingReader, type Registry } from './listing-reader.ts';
import { type Neighbourhood, neighbourhoodOf } from './neighbourhood.ts';

export type CorpusAnswer = {
  readonly listings: readonly Listing[];
  /** Position in the change log this answer is of. */
  readonly seq: number;
  readonly registry: Registry;
};

export type Corpus = {
  /** Every listing that bears on the indicator, from one state of the replica. Needs no network. */
  readonly lookup: (indicator: Listable) => CorpusAnswer;
  /** How many others around the address are listed as threats: in its /24, or in its IPv6 /48. */
  readonly neighbourhood: (ip: Ip) => Neighbourhood;
  /** Which single addresses of a range are listed as threats. */
  readonly accusedWithin: (range: Cidr4 | Cidr6, limit: number) => AccusedWithin;
  readonly seq: () => number;
};

export type CorpusReplica = { readonly view: () => CorpusView };

export function openCorpus(replica: CorpusReplica): Corpus {
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
    lookup: (indicator) => {
      const view = replica.view();
      // Opened late: a node may build its replica after the application is put together.
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
      // A page next door says little of this one; but a URL that names only a host asks about the host (trap 14).
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

/** Canonical text always has a path: of a bare host it is the one slash at the end. */
const namesOnlyHost = (url: string): boolean => url.indexOf('/', url.indexOf('//') + 2) === url.length - 1;

function readIp(reader: ListingReader, keys: KeyWriter, ip: Ip): void {
  reader.read(keys.of(ip), 'exact', ip.value);
  if (ip.version === 4) reader.readRanges4(ip.address, 33);
  else reader.readRanges6(ip.bytes, 129);
}

/** Is the parent that starts at `start` a platform, or above one? */
function isShared(name: string, start: number): boolean {
  const platform = platformSuffix(name);
  return platform !== null && platform.length >= name.length - start;
}

/**
 * The name, then its parents down to and including the registrable domain, never above it. A parent under which
 * strangers get names (github.io) says nothing about them, and neither does what is above it: 42 % of phishing hosts
 * lie below such names.
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
