import {
  ALIASES,
  LISTINGS,
  RANGES_4,
  RANGES_6,
  RELATED,
  SOURCES,
} from '../../server/src/capabilities/corpus/dataset.ts';
import type { CorpusReplica, Source } from '../../server/src/capabilities/corpus/index.ts';
import { createKeyWriter, KIND } from '../../server/src/capabilities/corpus/indicator-key.ts';
import { DATINGS, type Dating, LISTING_BYTES } from '../../server/src/capabilities/corpus/listing-value.ts';
import { packRanges, type RangeEntry, SITE_BITS } from '../../server/src/capabilities/corpus/range-table.ts';
import { packListing } from '../../server/src/capabilities/corpus/replay/pack-listing.ts';
import type { Listable } from '../../server/src/domain/indicator/index.ts';

export type MemoryListing = {
  readonly sourceNumber: number;
  readonly firstSeenS: number;
  /** The last sighting; 0 when still listed at the source's date. Holds the rank if the source is a popularity list. */
  readonly lastSeenS: number;
  /** 0 to 100; -1 when the source gives none. */
  readonly confidence: number;
  readonly dating: Dating;
  readonly isDelisted: boolean;
};

const PAGES_FIRST = 1 << 16;
const SITE_KEY_BYTES = 18;
const SITE_BYTES = 9;
const NONE = -1;

/**
 * A corpus without a database, behind the view that the real lookup reads. Listings are packed into one buffer and
 * chained by key: a million small buffers would cost half a gigabyte.
 */
export class MemoryReplica implements CorpusReplica {
  readonly #sources: readonly Source[];
  readonly #keys = createKeyWriter();
  /** Index of the newest listing of each key; `#next` links each listing to the one before it. */
  readonly #heads = new Map<string, number>();
  #next = new Int32Array(PAGES_FIRST);
  #packed = Buffer.alloc(PAGES_FIRST * LISTING_BYTES);
  #count = 0;
  /** Values of another length than one listing: names below a host, digests of one file. */
  readonly #plain: Record<string, Map<string, Buffer>> = { [ALIASES]: new Map(), [RELATED]: new Map() };
  readonly #memo = new Map<string, unknown>();
  readonly #sites = new Map<string, Buffer>();

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  add(listed: Listable, listing: MemoryListing): void {
    this.#append(textOf(this.#keys.of(listed)), listing);
  }

  /** Records that a page on `host`, or a name below it, is listed. */
  addRelated(host: Listable, kind: 'page' | 'child', listing: MemoryListing): void {
    const entry = Buffer.alloc(1 + LISTING_BYTES);
    entry[0] = kind === 'page' ? KIND.url : KIND.domain;
    write(entry, 1, listing);
    this.#appendPlain(RELATED, textOf(this.#keys.of(host)), entry);
  }

  /** Records that another address of the /64 of `address` is listed. */
  addSite(address: Listable, listing: MemoryListing): void {
    const site = Buffer.alloc(SITE_KEY_BYTES);
    Buffer.from(this.#keys.of(address)).copy(site, 0, 0, SITE_BYTES);
    site[0] = KIND.cidr6;
    site[SITE_KEY_BYTES - 1] = SITE_BITS;
    const entry = Buffer.alloc(LISTING_BYTES);
    write(entry, 0, listing);
    const key = textOf(site);
    this.#sites.set(key, Buffer.concat([this.#sites.get(key) ?? Buffer.alloc(0), entry]));
  }

  addAlias(digest: Listable, other: Listable): void {
    const key = textOf(this.#keys.of(digest));
    this.#appendPlain(ALIASES, key, Buffer.from(this.#keys.of(other)));
  }

  readonly #view = {
    seq: 1,
    get: (collection: string, key: Uint8Array): Uint8Array | undefined =>
      collection === LISTINGS ? this.#chain(textOf(key)) : this.#plain[collection]?.get(textOf(key)),
    memo: <T>(name: string, build: (of: { derived: (name: string) => Uint8Array }) => T): T => {
      if (!this.#memo.has(name)) this.#memo.set(name, build({ derived: this.#derived }));
      return this.#memo.get(name) as T;
    },
  };
  readonly view = () => this.#view;

  readonly #derived = (name: string): Uint8Array => {
    switch (name) {
      case SOURCES:
        return Buffer.from(JSON.stringify(this.#sources));
      case RANGES_4:
        return packRanges(this.#ranges(KIND.cidr4), 1);
      case RANGES_6:
        return packRanges(this.#ranges(KIND.cidr6), 4);
      default:
        throw new Error(`A corpus in memory has no ${name}.`);
    }
  };

  #ranges(kind: number): readonly RangeEntry[] {
    const listed = [...this.#heads.keys()]
      .filter((key) => key.charCodeAt(0) === kind)
      .map((key) => ({ key: bytesOf(key), value: Uint8Array.from(this.#chain(key) ?? []) }));
    const sites = [...this.#sites].map(([key, value]) => ({ key: bytesOf(key), value }));
    const all = kind === KIND.cidr6 ? [...listed, ...sites] : listed;
    return all.sort((a, b) => Buffer.compare(a.key, b.key));
  }

  #append(key: string, listing: MemoryListing): void {
    if (this.#count === this.#next.length) this.#grow();
    const at = this.#count;
    this.#count += 1;
    write(this.#packed, at * LISTING_BYTES, listing);
    this.#next[at] = this.#heads.get(key) ?? NONE;
    this.#heads.set(key, at);
  }

  #appendPlain(collection: string, key: string, entry: Buffer): void {
    const values = this.#plain[collection] as Map<string, Buffer>;
    values.set(key, Buffer.concat([values.get(key) ?? Buffer.alloc(0), entry]));
  }

  #chain(key: string): Uint8Array | undefined {
    const head = this.#heads.get(key);
    if (head === undefined) return undefined;
    if (this.#next[head] === NONE)
      return this.#packed.subarray(head * LISTING_BYTES, (head + 1) * LISTING_BYTES);
    const found: Buffer[] = [];
    for (let at = head; at !== NONE; at = this.#next[at] as number)
      found.push(this.#packed.subarray(at * LISTING_BYTES, (at + 1) * LISTING_BYTES));
    return Buffer.concat(found.sort((a, b) => a.readUInt16BE() - b.readUInt16BE()));
  }

  #grow(): void {
    const next = new Int32Array(this.#next.length * 2);
    next.set(this.#next);
    this.#next = next;
    this.#packed = Buffer.concat([this.#packed, Buffer.alloc(this.#packed.length)]);
  }
}

const textOf = (key: Uint8Array): string =>
  Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

function write(buffer: Buffer, at: number, { confidence, dating, ...facts }: MemoryListing): void {
  packListing({
    ...facts,
    confidence: confidence < 0 ? null : confidence,
    datedBy: DATINGS.indexOf(dating),
    familyNumber: null,
    referenceNumber: null,
  }).copy(buffer, at);
}
