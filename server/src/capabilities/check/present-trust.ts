import { hourOf, isActive, isThreat, MODEL, type Verdict } from '#domain/scoring/index.ts';
import type { Assessment } from './assess.ts';
import { type Completeness, type DataTrust, type Evidence, FACETS, type Facet } from './contract-verdict.ts';
import { isoOfSeconds } from './iso-time.ts';

const MS_PER_HOUR = 3_600_000;

/** When live lookups learned what the answer shows, and whether it has outlived its time, by facet. */
export type ObtainedFacets = ReadonlyMap<Facet, { readonly atMs: number; readonly isStale: boolean }>;
export const NOTHING_OBTAINED: ObtainedFacets = new Map();

/**
 * Contract 2.5. All but `completeness` rests on local data of one moment alone, so that a replay of the moment says the
 * same to the byte (scoring ruling 12); completeness tells what of the answer came from elsewhere.
 */
export function presentTrust(
  assessment: Assessment,
  observedAt: string,
  hasGeo: boolean,
  obtained: ObtainedFacets = NOTHING_OBTAINED,
): DataTrust {
  const { verdict, snapshotId } = assessment;
  const { trust } = verdict;
  const seen = seenBy(assessment);
  const shared = sharedParts(assessment, hasGeo, obtained);
  return {
    observedAt,
    freshness: trust.freshness,
    dataAgeHours: trust.dataAgeHours,
    firstSeen: seen.firstS === 0 ? null : isoOfSeconds(seen.firstS),
    lastSeen: seen.lastS === 0 ? null : isoOfSeconds(seen.lastS),
    lastUpdated: shared.lastUpdated,
    sourceAgreement: trust.sourceAgreement,
    sources: trust.sources as DataTrust['sources'],
    completeness: shared.completeness,
    providerAgreement: trust.providerAgreement as DataTrust['providerAgreement'],
    snapshotId,
  };
}

type SharedParts = Pick<DataTrust, 'lastUpdated' | 'completeness'> & Pick<Assessment, 'book'>;
/** Kept by verdict: what is judged alike is listed by the same sources in the same hour, so these parts agree too. */
const partsWithGeo = new WeakMap<Verdict, SharedParts>();
const partsWithoutGeo = new WeakMap<Verdict, SharedParts>();

function sharedParts(assessment: Assessment, hasGeo: boolean, obtained: ObtainedFacets): SharedParts {
  const { verdict, book } = assessment;
  // What live lookups found is of this subject alone.
  if (obtained.size > 0) return partsOf(assessment, hasGeo, obtained);
  const kept = hasGeo ? partsWithGeo : partsWithoutGeo;
  const known = kept.get(verdict);
  if (known !== undefined && known.book === book) return known;
  const parts = partsOf(assessment, hasGeo, obtained);
  kept.set(verdict, parts);
  return parts;
}

function partsOf(assessment: Assessment, hasGeo: boolean, obtained: ObtainedFacets): SharedParts {
  const updatedAtMs = updatedAt(assessment);
  return {
    book: assessment.book,
    lastUpdated: updatedAtMs === 0 ? null : isoOfSeconds(updatedAtMs / 1_000),
    completeness: completenessOf(assessment, updatedAtMs, hasGeo, obtained),
  };
}

/** Contract 2.6: the verdict's evidence, dated. */
export const presentEvidence = ({ evidence }: Verdict, observedAt: string): Evidence => ({
  verdict: evidence.verdict,
  score: evidence.score,
  confidence: evidence.confidence,
  observedAt,
  reasons: evidence.reasons as string[],
  contradictorySignals: evidence.contradictorySignals as Evidence['contradictorySignals'],
  sourceSummary: evidence.sourceSummary as Evidence['sourceSummary'],
  freshness: evidence.freshness,
  dataAgeHours: evidence.dataAgeHours,
  recommendedAction: evidence.recommendedAction,
  analystStatus: evidence.analystStatus,
});

/** When those that accuse saw it, today or before; whole seconds, 0 when none did. */
function seenBy({ listings }: Assessment): { readonly firstS: number; readonly lastS: number } {
  let [firstS, lastS] = [0, 0];
  for (const listing of listings) {
    if (!isThreat(listing) || !isOfSubject(listing)) continue;
    if (listing.firstSeenS > 0 && (firstS === 0 || listing.firstSeenS < firstS)) firstS = listing.firstSeenS;
    if (listing.lastSeenS > lastS) lastS = listing.lastSeenS;
  }
  return { firstS, lastS };
}

const isOfSubject = ({ matchType }: Assessment['listings'][number]): boolean =>
  matchType !== 'page' && matchType !== 'child' && matchType !== 'site';

/** Newest data of the sources that list it, else of those that could have; milliseconds, 0 when there is none. */
function updatedAt({ listings, corpus }: Assessment): number {
  let newestS = 0;
  for (const listing of listings)
    if (isActive(listing) && listing.source.dataAtS > newestS) newestS = listing.source.dataAtS;
  return newestS > 0 ? newestS * 1_000 : corpus.newestDataH * MS_PER_HOUR;
}

function completenessOf(
  assessment: Assessment,
  updatedAtMs: number,
  hasGeo: boolean,
  obtained: ObtainedFacets,
): Completeness {
  const { verdict, corpus, book, nowMs } = assessment;
  const { reputation } = verdict;
  // G55: four zeros say that no engine answered.
  const hasEngine = reputation.malicious + reputation.suspicious + reputation.undetected > 0;
  const hasSources = corpus.freshSources > 0 || assessment.listings.some(isActive);
  const facetFreshness: Completeness['facetFreshness'] = {};
  const corpusAtMs = corpus.newestDataH > 0 ? corpus.newestDataH * MS_PER_HOUR : updatedAtMs;
  let bits = 0;
  if (hasEngine) {
    bits |= BIT.reputation;
    facetFreshness.reputation = agedFacet(corpusAtMs, nowMs);
  }
  if (hasSources) {
    bits |= BIT.sources;
    facetFreshness.sources = agedFacet(updatedAtMs, nowMs);
  }
  if (hasGeo) {
    bits |= BIT.geo;
    facetFreshness.geo = agedFacet(book.geoAtMs ?? 0, nowMs);
  }
  for (const [facet, { atMs, isStale }] of obtained) {
    bits |= BIT[facet];
    const aged = agedFacet(atMs, nowMs);
    facetFreshness[facet] = isStale ? { ...aged, freshness: 'stale' } : aged;
  }
  const { score, present, missing } = SHARES[bits] as Shares;
  return { score, present, missing, facetFreshness };
}

/** Each facet's place in FACETS is its bit. */
const BIT = Object.fromEntries(FACETS.map((facet, place) => [facet, 1 << place])) as Readonly<
  Record<Facet, number>
>;

type Shares = Pick<Completeness, 'score' | 'present' | 'missing'>;

/** Eight facets, so 256 answers are all there are. */
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
  return { fetchedAt: isoOfSeconds(atMs / 1_000), freshness: freshnessOf(hours), dataAgeHours: hours };
}

const freshnessOf = (hours: number): FacetAge['freshness'] => {
  if (hours <= MODEL.freshnessHours.fresh) return 'fresh';
  return hours <= MODEL.freshnessHours.recent ? 'recent' : 'stale';
};
