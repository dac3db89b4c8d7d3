import type { Listing } from '#capabilities/corpus/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import {
  type CorpusFacts,
  isActive,
  isThreat,
  knownSinceS,
  sightedAtS,
  type Verdict,
} from '#domain/scoring/index.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import type { DataTrust, Evidence, Facet } from './contract-verdict.ts';
import { isoOfSeconds } from './iso-time.ts';
import { completenessOf, type FacetTimes } from './present-completeness.ts';

export const NOTHING_OBTAINED: FacetTimes = new Map();

/**
 * Every field except `completeness` depends only on local data of one moment, so that a replay is byte-identical
 * (scoring ruling 12); `completeness` also covers the live lookups (contract 2.5).
 */
export function presentTrust(
  assessment: Assessment,
  observedAt: string,
  hasGeo: boolean,
  obtained: FacetTimes = NOTHING_OBTAINED,
): DataTrust {
  return trustOf(
    assessment,
    observedAt,
    seenBy(assessment.listings),
    sharedParts(assessment, hasGeo, obtained),
  );
}

/** First and last sighting by accusing sources in whole seconds; 0 when there is none. */
export type Seen = { readonly firstS: number; readonly lastS: number };

/** Data trust of contract 2.5, assembled from the verdict and the facets of the answer. */
export const trustOf = (
  { verdict, snapshotId }: Pick<Assessment, 'verdict' | 'snapshotId'>,
  observedAt: string,
  seen: Seen,
  shared: Pick<DataTrust, 'lastUpdated' | 'completeness'>,
): DataTrust => ({
  observedAt,
  freshness: verdict.trust.freshness,
  dataAgeHours: verdict.trust.dataAgeHours,
  firstSeen: seen.firstS === 0 ? null : isoOfSeconds(seen.firstS),
  lastSeen: seen.lastS === 0 ? null : isoOfSeconds(seen.lastS),
  lastUpdated: shared.lastUpdated,
  sourceAgreement: verdict.trust.sourceAgreement,
  sources: verdict.trust.sources as DataTrust['sources'],
  completeness: shared.completeness,
  providerAgreement: verdict.trust.providerAgreement as DataTrust['providerAgreement'],
  snapshotId,
});

type Listed = { readonly listings: readonly Listing[]; readonly corpus: CorpusFacts };

type SharedParts = Pick<DataTrust, 'lastUpdated' | 'completeness'> & Pick<Assessment, 'book'>;
/** Cached by verdict: subjects judged alike have the same sources in the same hour, so these parts are equal too. */
const partsWithGeo = new WeakMap<Verdict, SharedParts>();
const partsWithoutGeo = new WeakMap<Verdict, SharedParts>();

function sharedParts(assessment: Assessment, hasGeo: boolean, obtained: FacetTimes): SharedParts {
  const { verdict, book } = assessment;
  // Facets of live lookups belong to this subject alone, so they are not cached.
  if (obtained.size > 0) return partsOf(assessment, hasGeo, obtained);
  const kept = hasGeo ? partsWithGeo : partsWithoutGeo;
  const known = kept.get(verdict);
  if (known !== undefined && known.book === book) return known;
  const parts = partsOf(assessment, hasGeo, obtained);
  kept.set(verdict, parts);
  return parts;
}

function partsOf(assessment: Assessment, hasGeo: boolean, obtained: FacetTimes): SharedParts {
  const updatedAtMs = updatedAt(assessment);
  return {
    book: assessment.book,
    lastUpdated: updatedAtMs === 0 ? null : isoOfSeconds(updatedAtMs / 1_000),
    completeness: completenessOf(facetTimes(assessment, updatedAtMs, hasGeo, obtained), assessment.nowMs),
  };
}

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

/** First and last sighting by accusing sources, current or past, in whole seconds; 0 when there is none. */
export function seenBy(listings: readonly Listing[]): Seen {
  let [firstS, lastS] = [0, 0];
  for (const listing of listings) {
    if (!isThreat(listing) || !isOfSubject(listing)) continue;
    const datedS = knownSinceS(listing);
    if (datedS > 0 && (firstS === 0 || datedS < firstS)) firstS = datedS;
    lastS = Math.max(lastS, sightedAtS(listing));
  }
  return { firstS, lastS };
}

const isOfSubject = ({ matchType }: Listing): boolean =>
  matchType !== 'page' && matchType !== 'child' && matchType !== 'site';

/**
 * The time of the newest data of the sources that list the subject, else of those that could; 0 when there is none.
 */
export function updatedAt({ listings, corpus }: Listed): number {
  let newestS = 0;
  for (const listing of listings)
    if (isActive(listing) && listing.source.dataAtS > newestS) newestS = listing.source.dataAtS;
  return newestS > 0 ? newestS * 1_000 : corpus.newestDataH * HOUR_MS;
}

/** Times of the local facets, then of the facets that live lookups obtained. */
function facetTimes(
  { verdict, corpus, book, listings }: Assessment,
  updatedAtMs: number,
  hasGeo: boolean,
  obtained: FacetTimes,
): FacetTimes {
  const { malicious, suspicious, undetected } = verdict.reputation;
  const local: [Facet, number][] = [];
  // Without any engine that answered there is no reputation: its counts are all zero (G55).
  if (malicious + suspicious + undetected > 0)
    local.push(['reputation', corpus.newestDataH > 0 ? corpus.newestDataH * HOUR_MS : updatedAtMs]);
  if (hasSources({ listings, corpus })) local.push(['sources', updatedAtMs]);
  if (hasGeo) local.push(['geo', book.geoAtMs ?? 0]);
  return new Map([...local.map(([facet, atMs]) => [facet, { atMs, isStale: false }] as const), ...obtained]);
}

/** True when a loaded list names the subject or could name it. */
export const hasSources = ({ listings, corpus }: Listed): boolean =>
  corpus.freshSources > 0 || listings.some(isActive);
