import { type Evidence, isoOf } from '#capabilities/check/index.ts';
import type { Listing } from '#capabilities/corpus/index.ts';
import type { ContactVerdict } from '#domain/contact/index.ts';
import { type CorpusFacts, isActive, isThreat, type RiskLevel, type Verdict } from '#domain/scoring/index.ts';
import { accusationsIn, confidenceOf } from './assess-contact.ts';
import type { ContactFactor, ContactRisk, ContactSource, PhoneResult } from './contract.ts';

type DataTrust = NonNullable<PhoneResult['dataTrust']>;
type Facet = DataTrust['completeness']['present'][number];
/** G9, in its order. */
const FACETS: readonly Facet[] = [
  'reputation',
  'sources',
  'whois',
  'geo',
  'certificates',
  'dns',
  'vulnerabilities',
  'otx',
];
const MS_PER_HOUR = 3_600_000;

export const presentSources = (listings: readonly Listing[]): ContactSource[] =>
  listings.filter(isActive).map((listing) => {
    const { id, name, category, categories, threatClass, fpRisk, tags } = listing.source;
    return {
      id,
      name,
      category,
      categories: categories as string[],
      threatClass,
      fpRisk,
      tags: tags as string[],
      confidence: confidenceOf(listing),
    };
  });

/** Distinct, of the lists that accuse, sorted. */
export const categoriesOf = (listings: readonly Listing[]): string[] =>
  [
    ...new Set(
      listings
        .filter((listing) => isThreat(listing) && isActive(listing))
        .flatMap(({ source }) => [source.category, ...source.categories]),
    ),
  ].sort();

/** One a list that accuses; the whole score shared out by how far each is believed. */
export function factorsOf(listings: readonly Listing[], score: number): ContactFactor[] {
  const accusing = listings.filter((listing) => isThreat(listing) && isActive(listing));
  const believed = accusing.map((listing) => confidenceOf(listing));
  const sum = believed.reduce((before, each) => before + each, 0);
  let [given, passed] = [0, 0];
  return accusing.map(({ source }, i) => {
    const confidence = believed[i] ?? 0;
    passed += confidence;
    // Running totals are rounded, so the parts are whole and add up.
    const upTo = sum === 0 ? (i === accusing.length - 1 ? score : 0) : Math.round((score * passed) / sum);
    const contribution = upTo - given;
    given = upTo;
    return {
      name: source.id,
      weight: confidence / 100,
      score: confidence,
      contribution,
      description: `${source.name} lists it (${source.category}); it is believed at ${confidence} of 100.`,
    };
  });
}

export function summaryOf(what: string, listings: readonly Listing[], verdict: ContactVerdict): string {
  const count = accusationsIn(listings).length;
  if (count === 0) return `No list names this ${what}; that is no proof that it is harmless.`;
  const lists = count === 1 ? '1 list names' : `${count} lists name`;
  return verdict === 'malicious'
    ? `${lists} this ${what}, and that is enough to call it malicious.`
    : `${lists} this ${what}; that is a suspicion, not enough to call it malicious.`;
}

export const riskOf = (score: number, level: RiskLevel, summary: string): ContactRisk => ({
  score,
  level,
  summary,
});

/** G10: unknown is `unverified`, and as evidence something for a person to look at. */
export function actionOf(verdict: ContactVerdict, { evidence }: Verdict): Evidence['recommendedAction'] {
  if (verdict === 'unknown') return 'unverified';
  if (verdict === 'suspicious') return 'review';
  return evidence.contradictorySignals.some(({ severity }) => severity === 'high') ? 'escalate' : 'block';
}

export type Judged = {
  readonly verdict: ContactVerdict;
  readonly score: number;
  readonly level: RiskLevel;
  readonly reasons: readonly string[];
};

/** Contract 2.6 in the words of the rule for contacts. */
export function presentEvidence(judged: Judged, verdict: Verdict, nowMs: number): Evidence {
  const { evidence } = verdict;
  const action = actionOf(judged.verdict, verdict);
  return {
    // A few points for a domain without SPF are no verdict on the address: the two of one answer must not differ.
    verdict: judged.verdict === 'unknown' || judged.level === 'inconclusive' ? 'unknown' : judged.level,
    score: judged.score,
    confidence: evidence.confidence,
    observedAt: isoOf(nowMs),
    reasons: judged.reasons as string[],
    contradictorySignals: evidence.contradictorySignals as Evidence['contradictorySignals'],
    sourceSummary: evidence.sourceSummary as Evidence['sourceSummary'],
    freshness: evidence.freshness,
    dataAgeHours: evidence.dataAgeHours,
    recommendedAction: action === 'unverified' ? 'review' : action,
    analystStatus: evidence.analystStatus,
  };
}

export type TrustInput = {
  readonly verdict: Verdict;
  readonly listings: readonly Listing[];
  readonly corpus: CorpusFacts;
  readonly snapshotId: string;
  readonly nowMs: number;
  /** What was learnt live, and when. */
  readonly live: Partial<Record<'dns' | 'whois', number>>;
};

/** Contract 2.5. What a kind of contact has none of counts as missing: completeness is of what an answer could hold. */
export function presentTrust({ verdict, listings, corpus, snapshotId, nowMs, live }: TrustInput): DataTrust {
  const { trust } = verdict;
  const accusing = listings.filter((listing) => isThreat(listing) && isActive(listing));
  const firstS = accusing.reduce(
    (min, { firstSeenS }) => (firstSeenS > 0 && (min === 0 || firstSeenS < min) ? firstSeenS : min),
    0,
  );
  const lastS = accusing.reduce((max, { lastSeenS }) => Math.max(max, lastSeenS), 0);
  const dataAtMs = updatedAtMs(listings, corpus);
  return {
    observedAt: isoOf(nowMs),
    freshness: trust.freshness,
    dataAgeHours: trust.dataAgeHours,
    firstSeen: firstS === 0 ? null : isoOf(firstS * 1_000),
    lastSeen: lastS === 0 ? null : isoOf(lastS * 1_000),
    lastUpdated: dataAtMs === 0 ? null : isoOf(dataAtMs),
    sourceAgreement: trust.sourceAgreement,
    sources: trust.sources as DataTrust['sources'],
    completeness: completenessOf(corpus.freshSources > 0 || listings.some(isActive), dataAtMs, live, nowMs),
    providerAgreement: trust.providerAgreement as DataTrust['providerAgreement'],
    snapshotId,
  };
}

function updatedAtMs(listings: readonly Listing[], corpus: CorpusFacts): number {
  const newestS = listings.filter(isActive).reduce((max, { source }) => Math.max(max, source.dataAtS), 0);
  return newestS > 0 ? newestS * 1_000 : corpus.newestDataH * MS_PER_HOUR;
}

function completenessOf(
  hasSources: boolean,
  dataAtMs: number,
  live: TrustInput['live'],
  nowMs: number,
): DataTrust['completeness'] {
  const at: Partial<Record<Facet, number>> = { ...(hasSources && { sources: dataAtMs }), ...live };
  const present = FACETS.filter((facet) => at[facet] !== undefined);
  return {
    score: Math.round((100 * present.length) / FACETS.length),
    present,
    missing: FACETS.filter((facet) => at[facet] === undefined),
    facetFreshness: Object.fromEntries(present.map((facet) => [facet, agedFacet(at[facet] ?? 0, nowMs)])),
  };
}

type FacetAge = NonNullable<DataTrust['completeness']['facetFreshness']['sources']>;
/** G9: a day, a week. */
const [FRESH_HOURS, RECENT_HOURS] = [24, 168];

function agedFacet(atMs: number, nowMs: number): FacetAge {
  if (atMs === 0) return { fetchedAt: null, freshness: 'unknown', dataAgeHours: null };
  const hours = Math.max(0, Math.floor(nowMs / MS_PER_HOUR) - Math.floor(atMs / MS_PER_HOUR));
  const freshness = hours <= FRESH_HOURS ? 'fresh' : hours <= RECENT_HOURS ? 'recent' : 'stale';
  return { fetchedAt: isoOf(atMs), freshness, dataAgeHours: hours };
}
