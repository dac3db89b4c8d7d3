import type { Dataset, Derived } from '#platform/replica/dataset.ts';
import { KIND } from './indicator-key.ts';
import { packRanges } from './range-table.ts';
import { rangeEntries, registryJson } from './store.ts';

export const CORPUS = 'corpus';
export const LISTINGS = 'listing';
/** Both the collection of registry rows and the derived value that holds them all. */
export const SOURCES = 'source';
/** Other digests of the same file, by digest. */
export const ALIASES = 'alias';
export const RANGES_4 = 'ranges4';
export const RANGES_6 = 'ranges6';

/** What every node keeps of the corpus: listings by key, the source registry, and the ranges packed for search. */
export const corpusDataset: Dataset = {
  name: CORPUS,
  format: 2,
  collections: [
    { name: LISTINGS, view: 'corpus_listing_entry' },
    { name: SOURCES, view: 'corpus_source_entry' },
    { name: ALIASES, view: 'corpus_alias_entry' },
  ],
  derived: [
    {
      name: SOURCES,
      dependsOn: (collection) => collection === SOURCES,
      build: async (tx) => Buffer.from(await registryJson(tx)),
    },
    ranges(RANGES_4, KIND.cidr4, 1),
    ranges(RANGES_6, KIND.cidr6, 4),
  ],
};

function ranges(name: string, kind: number, words: 1 | 4): Derived {
  return {
    name,
    dependsOn: (collection, key) => collection === LISTINGS && key[0] === kind,
    build: async (tx) => packRanges(await rangeEntries(tx, kind), words),
  };
}
