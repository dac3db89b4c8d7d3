import type { Source } from '../contract.ts';
import { ALIASES, FAMILIES, LISTINGS, RANGES_4, RANGES_6, REFERENCES, RELATED, SOURCES } from '../dataset.ts';
import { KIND } from '../indicator-key.ts';
import { nameKeyOf } from '../listing-names.ts';
import type { CorpusView } from '../listing-reader.ts';
import { packRanges, type RangeEntry } from '../range-table.ts';
import { withSites } from '../site-ranges.ts';
import { listingEntries, relatedEntries } from './past-entries.ts';
import type { Period, RelatedFold } from './store.ts';

/** The rows of PostgreSQL for some keys, each in the order of keys, sources and time. */
export type PastRows = {
  readonly periods: readonly Period[];
  readonly related: readonly RelatedFold[];
  /** Periods of all addresses in the /64s of the queried IPv6 addresses. */
  readonly neighbours: readonly Period[];
  readonly aliases: readonly RangeEntry[];
};

export type PastState = PastRows & {
  readonly seq: number;
  readonly atMs: number;
  readonly sources: readonly Source[];
};

/** The content of a replica at a moment, as the lookup reads it: the same bytes under the same keys. */
export function pastView({ seq, atMs, sources, ...rows }: PastState): CorpusView {
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  const listings = listingEntries(rows.periods, byNumber, atMs);
  const ofKind = (kind: number) =>
    listings.filter(({ key }) => key[0] === kind).sort((a, b) => Buffer.compare(a.key, b.key));
  const ranges6 = withSites(ofKind(KIND.cidr6), listingEntries(rows.neighbours, byNumber, atMs));
  const collections = new Map([
    [LISTINGS, byKey(listings)],
    [ALIASES, byKey(rows.aliases)],
    [RELATED, byKey(relatedEntries(rows.related, byNumber))],
    [FAMILIES, byKey(dictionaryOf(rows.periods, 'family', 'familyNumber'))],
    [REFERENCES, byKey(dictionaryOf(rows.periods, 'reference', 'referenceNumber'))],
  ]);
  const derived = new Map([
    [SOURCES, () => Buffer.from(JSON.stringify(sources))],
    [RANGES_4, () => packRanges(ofKind(KIND.cidr4), 1)],
    [RANGES_6, () => packRanges(ranges6, 4)],
  ]);
  return {
    seq,
    get: (collection, key) => collections.get(collection)?.get(nameOf(key)),
    memo: (_name, build) => build({ derived: (name) => derived.get(name)?.() ?? new Uint8Array() }),
  };
}

function dictionaryOf(
  periods: readonly Period[],
  text: 'family' | 'reference',
  number: 'familyNumber' | 'referenceNumber',
): readonly RangeEntry[] {
  const entries: RangeEntry[] = [];
  for (const { [text]: name, [number]: at } of periods)
    if (name !== null && at !== null && at > 0)
      entries.push({ key: nameKeyOf(at), value: Buffer.from(name) });
  return entries;
}

const nameOf = (key: Uint8Array): string =>
  Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');

const byKey = (entries: readonly RangeEntry[]): ReadonlyMap<string, Uint8Array> =>
  new Map(entries.map(({ key, value }) => [nameOf(key), value]));
