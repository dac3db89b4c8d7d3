import type { Dataset } from '#platform/replica/dataset.ts';
import { KIND } from './indicator-key.ts';
import { packRanges } from './range-table.ts';
import { withSites } from './site-ranges.ts';
import { rangeEntries, registryJson } from './store.ts';

export const CORPUS = 'corpus';
export const LISTINGS = 'listing';
/** Names the collection of registry rows, and also the derived value that holds all of them as one. */
export const SOURCES = 'source';
export const ALIASES = 'alias';
/** Listings of pages on a host or of names below a registrable domain, by the key of that host or domain. */
export const RELATED = 'related';
/** Dictionaries of the texts that listings name: u32 number to UTF-8 text. A number never changes its text. */
export const FAMILIES = 'family';
export const REFERENCES = 'reference';
export const RANGES_4 = 'ranges4';
export const RANGES_6 = 'ranges6';

/** The part of the corpus on every node: listings by key, the source registry, and the ranges packed for search. */
export const corpusDataset: Dataset = {
  name: CORPUS,
  format: 4,
  collections: [
    { name: LISTINGS, view: 'corpus_listing_entry' },
    { name: SOURCES, view: 'corpus_source_entry' },
    { name: ALIASES, view: 'corpus_alias_entry' },
    { name: RELATED, view: 'corpus_related_entry' },
    { name: FAMILIES, view: 'corpus_family_entry' },
    { name: REFERENCES, view: 'corpus_reference_entry' },
  ],
  derived: [
    {
      name: SOURCES,
      dependsOn: (collection) => collection === SOURCES,
      build: async (tx) => Buffer.from(await registryJson(tx)),
    },
    {
      name: RANGES_4,
      dependsOn: (collection, key) => collection === LISTINGS && key[0] === KIND.cidr4,
      build: async (tx) => packRanges(await rangeEntries(tx, KIND.cidr4), 1),
    },
    {
      name: RANGES_6,
      dependsOn: (collection, key) =>
        collection === LISTINGS && (key[0] === KIND.cidr6 || key[0] === KIND.ipv6),
      build: async (tx) =>
        packRanges(withSites(await rangeEntries(tx, KIND.cidr6), await rangeEntries(tx, KIND.ipv6)), 4),
    },
  ],
};
