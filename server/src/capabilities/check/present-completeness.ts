import { hourOf, MODEL } from '#domain/scoring/index.ts';
import { type Completeness, FACETS, type Facet } from './contract-verdict.ts';
import { isoOf } from './iso-time.ts';

/** When the data of each facet that an answer shows was obtained, and whether it has outlived its time. */
export type FacetTimes = ReadonlyMap<Facet, { readonly atMs: number; readonly isStale: boolean }>;

/** How many of the eight facets an answer has, in percent, and the age of each (contract 2.5, G9). */
export function completenessOf(times: FacetTimes, nowMs: number): Completeness {
  const facetFreshness: Completeness['facetFreshness'] = {};
  let bits = 0;
  for (const [facet, { atMs, isStale }] of times) {
    bits |= BIT[facet];
    const aged = agedFacet(atMs, nowMs);
    facetFreshness[facet] = isStale ? { ...aged, freshness: 'stale' } : aged;
  }
  const { score, present, missing } = SHARES[bits] as Shares;
  return { score, present, missing, facetFreshness };
}

/** A bit for each facet, so that a set of facets is an index into SHARES. */
const BIT = Object.fromEntries(FACETS.map((facet, place) => [facet, 1 << place])) as Readonly<
  Record<Facet, number>
>;

type Shares = Pick<Completeness, 'score' | 'present' | 'missing'>;

/** Precomputed for all 256 sets of the eight facets. */
const SHARES: readonly Shares[] = Array.from({ length: 1 << FACETS.length }, (_, bits) => {
  const has = (facet: Facet): boolean => (bits & BIT[facet]) !== 0;
  const present = FACETS.filter(has);
  return {
    score: Math.round((100 * present.length) / FACETS.length),
    present,
    missing: FACETS.filter((facet) => !has(facet)),
  };
});

type FacetAge = NonNullable<Completeness['facetFreshness']['geo']>;

function agedFacet(atMs: number, nowMs: number): FacetAge {
  if (atMs === 0) return { fetchedAt: null, freshness: 'unknown', dataAgeHours: null };
  const hours = Math.max(0, hourOf(nowMs / 1_000) - hourOf(atMs / 1_000));
  return { fetchedAt: isoOf(atMs), freshness: freshnessOf(hours), dataAgeHours: hours };
}

const freshnessOf = (hours: number): FacetAge['freshness'] => {
  if (hours <= MODEL.freshnessHours.fresh) return 'fresh';
  return hours <= MODEL.freshnessHours.recent ? 'recent' : 'stale';
};
