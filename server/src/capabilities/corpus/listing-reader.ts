import { formatIpv4, formatIpv6 } from '#domain/indicator/index.ts';
import { accuses, type Source } from './contract.ts';
import { ALIASES, LISTINGS, RANGES_4, RANGES_6, RELATED, SOURCES } from './dataset.ts';
import { hashKeyBytes, hashTextAt, KIND } from './indicator-key.ts';
import { ListingNames } from './listing-names.ts';
import {
  confidenceAt,
  type Dating,
  datingAt,
  familyNumberAt,
  firstSeenAt,
  isDelistedAt,
  LISTING_BYTES,
  lastSeenAt,
  NO_CONFIDENCE,
  nextListing,
  RANK_MAX,
  referenceNumberAt,
  sourceNumberAt,
} from './listing-value.ts';
import {
  innermost4,
  innermost6,
  NO_RANGE,
  openRanges,
  type RangeTable,
  SITE_BITS,
  widerRange,
  widthOf,
} from './range-table.ts';
import { registryVersion } from './registry-version.ts';
import { isDeliveryGuard, isRentable, type RangeRoles, rangeRolesOf } from './rented-ranges.ts';

/** A listing that bears on the queried indicator: of itself, of something above it, or of a neighbour. */
export type Listing = {
  readonly source: Source;
  /**
   * The first four are listings of the indicator. The others belong to a neighbour: a page of the host (`page`), a name
   * below it (`child`), another address of the same IPv6 /64 (`site`). They weigh little and appear as factors only.
   */
  readonly matchType: 'exact' | 'cidr' | 'alias' | 'parent' | 'page' | 'child' | 'site';
  /** The listed value: the indicator itself, its host, a covering range, a parent domain, another digest. */
  readonly matched: string;
  readonly firstSeenS: number;
  /** The source's own date of the entry, else the date of its data. */
  readonly lastSeenS: number;
  /** 0 to 100; -1 when the source gives none. */
  readonly confidence: number;
  /** What `firstSeenS` is: the source's own date, the first sighting of the entry, or no date of the entry at all. */
  readonly dating: Dating;
  /** True: `lastSeenS` is the source's own date of this entry, not the date of its data. */
  readonly hasOwnLastSeen?: true;
  /** Malware family or tool, in the word of the source. */
  readonly family?: string;
  /** Web address of the source's report about the entry. A stranger's text: it is shown and never fetched. */
  readonly reference?: string;
  /** Prefix length of the range, for `cidr`. */
  readonly prefixBits?: number;
  /** Rank in a popularity list, from 1. */
  readonly rank?: number;
  /** True: dropped but still fading (scoring ruling 5); `lastSeenS` is when it was dropped or last seen. */
  readonly isDelisted?: true;
};

/** The registry in one state of the replica. It stays the same object until something in it changes. */
export type Registry = {
  /** Eight hexadecimal digits over everything that can change a verdict; equal versions judge the same data alike. */
  readonly version: string;
  readonly sources: readonly Source[];
};

export type CorpusView = {
  readonly seq: number;
  readonly get: (collection: string, key: Uint8Array) => Uint8Array | undefined;
  /** Keys from `from` up to but excluding `to`, at most `limit`. A replayed view does not have this function. */
  readonly keysBetween?: (
    collection: string,
    from: Uint8Array,
    to: Uint8Array,
    limit: number,
  ) => readonly Uint8Array[];
  /** Builds a value once and keeps it across views until a derived value that `build` read changes. */
  readonly memo: <T>(
    name: string,
    build: (view: { readonly derived: (name: string) => Uint8Array }) => T,
  ) => T;
};

type State = {
  /** Sources by their number; undefined for a number without a registry row. */
  readonly sources: readonly (Source | undefined)[];
  readonly roles: RangeRoles;
  readonly ranges4: RangeTable;
  readonly ranges6: RangeTable;
  readonly registry: Registry;
};

const stateOf = (view: CorpusView): State => ({
  ...view.memo('corpus.sources', ({ derived }) => decodeRegistry(derived(SOURCES))),
  ranges4: view.memo('corpus.ranges4', ({ derived }) => openRanges(derived(RANGES_4))),
  ranges6: view.memo('corpus.ranges6', ({ derived }) => openRanges(derived(RANGES_6))),
});

function decodeRegistry(bytes: Uint8Array): Pick<State, 'sources' | 'roles' | 'registry'> {
  const stored = JSON.parse(Buffer.from(bytes).toString('utf8')) as readonly Source[];
  // Stored rows leave out fields that only few sources have.
  const rows = stored.map((row) => ({
    ...row,
    scannerKinds: row.scannerKinds ?? [],
    keepsEntries: row.keepsEntries ?? false,
    echoes: row.echoes ?? {},
    ownList: row.ownList ?? false,
    expiresDays: row.expiresDays ?? 0,
    exported: row.exported ?? true,
  }));
  const length = Math.max(0, ...rows.map((row) => row.number)) + 1;
  const byNumber = Array.from({ length }, (): Source | undefined => undefined);
  for (const row of rows) byNumber[row.number] = Object.freeze(row);
  const roles = rangeRolesOf(rows, length);
  return { sources: byNumber, roles, registry: { version: registryVersion(rows), sources: rows } };
}

const NOTHING: readonly Listing[] = [];
const NO_PREFIX = -1;
const WWW = 'www.';
const SINGLE_BITS_6 = 128;

/** Decodes the listings of successive lookups. It is created once, so that a lookup allocates only its answer. */
export class ListingReader {
  #view: CorpusView;
  #state: State;
  #names: ListingNames;
  #found: Listing[] | null = null;
  readonly #address6 = new Uint32Array(4);
  /** The walk outwards has passed a range of a rentable cloud, so wider ranges of delivery networks do not apply. */
  #isRented = false;

  constructor(view: CorpusView) {
    this.#view = view;
    this.#state = stateOf(view);
    this.#names = new ListingNames(view);
  }

  /** Prepares for a lookup in this view. The state is read again only if the view is another one. */
  begin(view: CorpusView): void {
    this.#found = null;
    if (view === this.#view) return;
    this.#state = stateOf(view);
    this.#names = new ListingNames(view);
    this.#view = view;
  }

  get listings(): readonly Listing[] {
    return this.#found ?? NOTHING;
  }

  get registry(): Registry {
    return this.#state.registry;
  }

  read(key: Uint8Array, matchType: 'exact' | 'parent', matched: string): void {
    const value = this.#view.get(LISTINGS, key);
    if (value !== undefined) this.#decode(value, 0, value.length, matchType, matched, NO_PREFIX);
  }

  /** Whether a source accuses the indicator under this key now. Does not change the listings found so far. */
  isAccused(key: Uint8Array): boolean {
    const value = this.#view.get(LISTINGS, key);
    if (value === undefined) return false;
    for (let at = 0; at < value.length; at = nextListing(value, at)) {
      const source = this.#state.sources[sourceNumberAt(value, at)];
      if (source?.enabled === true && accuses(source) && !isDelistedAt(value, at)) return true;
    }
    return false;
  }

  /** Whether a source that accuses nothing names the indicator under this key now, such as one of clouds or resolvers. */
  isDescribed(key: Uint8Array): boolean {
    const value = this.#view.get(LISTINGS, key);
    if (value === undefined) return false;
    for (let at = 0; at < value.length; at = nextListing(value, at)) {
      const source = this.#state.sources[sourceNumberAt(value, at)];
      if (source?.enabled === true && source.threatClass !== 'threat' && !isDelistedAt(value, at))
        return true;
    }
    return false;
  }

  readAliases(key: Uint8Array): void {
    const siblings = this.#view.get(ALIASES, key);
    if (siblings === undefined) return;
    // Copied, because the bytes may belong to the replica and are valid only until its next read.
    const own = Uint8Array.from(siblings);
    for (let at = 0; at < own.length; at += hashKeyBytes(own, at)) {
      const sibling = own.subarray(at, at + hashKeyBytes(own, at));
      const value = this.#view.get(LISTINGS, sibling);
      if (value !== undefined) this.#decode(value, 0, value.length, 'alias', hashTextAt(sibling), NO_PREFIX);
    }
  }

  /**
   * Adds the listings of the parent domain that starts at `start`. False: strangers register names under this parent,
   * so neither its listings nor those above it apply to the names below.
   */
  readParent(
    key: Uint8Array,
    name: string,
    start: number,
    isShared: (name: string, start: number) => boolean,
  ): boolean {
    const value = this.#view.get(LISTINGS, key);
    if (value === undefined) return true;
    if (isShared(name, start)) return false;
    // The label `www` below a platform is the platform itself and not a tenant, so it inherits.
    const isItself = start === WWW.length && name.startsWith(WWW);
    if (!isItself && this.#isPlatform(value)) return false;
    this.#decode(value, 0, value.length, 'parent', name.slice(start), NO_PREFIX);
    return true;
  }

  /** Whether a list of platforms has this name: names below then inherit nothing from it (scoring ruling 9). */
  #isPlatform(value: Uint8Array): boolean {
    const { sources } = this.#state;
    for (let at = 0; at < value.length; at = nextListing(value, at)) {
      const source = sources[sourceNumberAt(value, at)];
      if (source?.guard === 'platform' && source.enabled && !isDelistedAt(value, at)) return true;
    }
    return false;
  }

  /** Adds the listings of every covering range whose prefix is shorter than `bitsBelow`. */
  readRanges4(address: number, bitsBelow: number): void {
    const table = this.#state.ranges4;
    this.#readRanges(table, innermost4(table, address), bitsBelow);
  }

  readRanges6(bytes: Uint8Array, bitsBelow: number): void {
    const table = this.#state.ranges6;
    for (let word = 0; word < 4; word += 1) this.#address6[word] = wordAt(bytes, word * 4);
    this.#readRanges(table, innermost6(table, this.#address6), bitsBelow);
  }

  #readRanges(table: RangeTable, innermost: number, bitsBelow: number): void {
    this.#isRented = this.#hasRentableFrom(0);
    for (let index = innermost; index !== NO_RANGE; index = widerRange(table, index)) {
      const bits = table.bits[index] as number;
      const start = table.offsets[index] as number;
      const end = table.offsets[index + 1] as number;
      if (bits === SITE_BITS && bitsBelow > SINGLE_BITS_6) this.#readSite(table, index, start, end);
      if (bits >= bitsBelow) continue;
      const before = this.#found?.length ?? 0;
      this.#decode(table.listings, start, end, 'cidr', rangeText(table, index), bits);
      this.#isRented ||= this.#hasRentableFrom(before);
    }
    this.#isRented = false;
  }

  #hasRentableFrom(index: number): boolean {
    const found = this.#found ?? NOTHING;
    for (let at = index; at < found.length; at += 1)
      if (isRentable(this.#state.roles, found[at]?.source.number ?? 0)) return true;
    return false;
  }

  /** Adds listings of other addresses in the /64, except from sources that list the queried address itself. */
  #readSite(table: RangeTable, index: number, start: number, end: number): void {
    for (let at = start; at < end; at = nextListing(table.listings, at)) {
      const number = sourceNumberAt(table.listings, at);
      const isListed = this.#found?.some(
        ({ source, matchType, isDelisted }) =>
          source.number === number && matchType === 'exact' && isDelisted !== true,
      );
      if (isListed !== true) this.#decodeNear(table.listings, at, 'site', rangeText(table, index));
    }
  }

  /** Adds the listings of pages on this host (`page`) and, for a registrable domain, of names below it (`child`). */
  readRelated(key: Uint8Array, matched: string): void {
    const value = this.#view.get(RELATED, key);
    if (value === undefined) return;
    for (let at = 0; at < value.length; at += 1 + LISTING_BYTES)
      this.#decodeNear(value, at + 1, value[at] === KIND.url ? 'page' : 'child', matched);
  }

  /** Adds a listing of a neighbour if it accuses; that a neighbour is on an allowlist says nothing. */
  #decodeNear(value: Uint8Array, at: number, matchType: 'page' | 'child' | 'site', matched: string): void {
    const source = this.#state.sources[sourceNumberAt(value, at)];
    if (source === undefined || !accuses(source)) return;
    this.#decode(value, at, at + LISTING_BYTES, matchType, matched, NO_PREFIX);
  }

  #decode(
    value: Uint8Array,
    start: number,
    end: number,
    matchType: Listing['matchType'],
    matched: string,
    prefixBits: number,
  ): void {
    const { sources, roles } = this.#state;
    for (let at = start; at < end; at = nextListing(value, at)) {
      const number = sourceNumberAt(value, at);
      const source = sources[number];
      if (source === undefined || !source.enabled) continue;
      if (this.#isRented && isDeliveryGuard(roles, number)) continue;
      const isDelisted = isDelistedAt(value, at);
      if (isDelisted && !accuses(source)) continue;
      const seen = lastSeenAt(value, at);
      const given = confidenceAt(value, at);
      const listing: Writable<Listing> = {
        source,
        matchType,
        matched,
        firstSeenS: firstSeenAt(value, at),
        lastSeenS: seen < RANK_MAX ? source.dataAtS : seen,
        confidence: given === NO_CONFIDENCE ? -1 : given,
        dating: datingAt(value, at),
      };
      if (seen >= RANK_MAX) listing.hasOwnLastSeen = true;
      if (prefixBits !== NO_PREFIX) listing.prefixBits = prefixBits;
      if (isDelisted) listing.isDelisted = true;
      else if (seen > 0 && seen < RANK_MAX && source.guard === 'popularity' && prefixBits === NO_PREFIX)
        listing.rank = seen;
      this.#addNames(listing, familyNumberAt(value, at), referenceNumberAt(value, at));
      this.#found ??= [];
      this.#found.push(listing);
    }
  }

  /** Adds family and reference by their numbers; 0: the listing has none. */
  #addNames(listing: Writable<Listing>, familyNumber: number, referenceNumber: number): void {
    const family = familyNumber === 0 ? undefined : this.#names.family(familyNumber);
    if (family !== undefined) listing.family = family;
    const reference = referenceNumber === 0 ? undefined : this.#names.reference(referenceNumber);
    if (reference !== undefined) listing.reference = reference;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function rangeText(table: RangeTable, index: number): string {
  const bits = widthOf(table.bits[index] as number);
  if (table.words === 1) return `${formatIpv4(table.starts[index] as number)}/${bits}`;
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < 4; word += 1) view.setUint32(word * 4, table.starts[index * 4 + word] as number);
  return `${formatIpv6(bytes)}/${bits}`;
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)) >>>
  0;
