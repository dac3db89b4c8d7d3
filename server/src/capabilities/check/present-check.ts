import {
  type AttackIndex,
  type GeoReply,
  type MitreReply,
  mitreOf,
  networkOfLabels,
} from '#capabilities/enrichment/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import type { FacetName, LiveContext } from '#capabilities/providers/index.ts';
import { type Hash, hostOf, type Indicator } from '#domain/indicator/index.ts';
import { chooseFamilies, isActive, type Verdict } from '#domain/scoring/index.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckResult, EnrichmentLevel, PendingFacet } from './contract.ts';
import type { HashInfo } from './contract-listings.ts';
import type { Classification, CrossCorrelation, RiskScore } from './contract-verdict.ts';
import { isoOf } from './iso-time.ts';
import type { FacetTimes } from './present-completeness.ts';
import { addContext } from './present-context.ts';
import { presentInfrastructure, presentService, presentSources } from './present-listings.ts';
import { presentOwn } from './present-own.ts';
import { NOTHING_OBTAINED, presentEvidence, presentTrust } from './present-trust.ts';

/**
 * Builds one object of the same shape for every answer, in reading order. A field that does not apply is
 * undefined, and JSON leaves it out.
 */
export function presentCheck(
  assessment: Assessment,
  level: EnrichmentLevel,
  attack: AttackIndex | null,
  beyond: CheckContext | null = null,
): CheckResult {
  const { subject, verdict } = assessment;
  const geo = presentGeo(beyond?.located ?? assessment);
  const result: CheckResult = {
    query: subject.value,
    malicious: verdict.malicious,
    blocklistHits: verdict.blocklistHits,
    blocklistListed: verdict.blocklistHits > 0,
    riskScore: undefined,
    confidence: undefined,
    classification: undefined,
    lookupStatus: undefined,
    knownGood: undefined,
    malwareFamily: undefined,
    malwareFamilies: undefined,
    hashInfo: undefined,
    threatType: undefined,
    categories: undefined,
    pwnedPassword: undefined,
    sources: presentSources(subject, assessment.listings),
    infrastructure: presentInfrastructure(assessment) ?? undefined,
    service: presentService(assessment),
    lookalike: assessment.lookalike ?? undefined,
    ransomwareClaims: undefined,
    organization: presentOwn(assessment),
    reputation: verdict.reputation,
    mitre: undefined,
    crossCorrelation: undefined,
    geo,
    whois: null,
    certificates: null,
    vulnerabilities: null,
    otx: undefined,
    dns: undefined,
    technologies: undefined,
    timeline: undefined,
    relatedInfrastructure: undefined,
    apiVersion: 'v2',
    enrichmentLevel: level,
    pending: undefined,
    evidence: null,
    dataTrust: null,
  };
  if (level === 'fast') result.pending = leftOut(subject, geo !== null);
  else if (beyond !== null) result.pending = underway(beyond.live, geo !== null);
  const obtained = beyond === null ? NOTHING_OBTAINED : addContext(result, assessment, level, beyond);
  if (level !== 'basic') addVerdict(result, assessment, attack, obtained);
  addFamilies(result, assessment);
  if (subject.kind === 'hash') addFile(result, assessment, subject);
  return result;
}

/** The fields that `standard` adds to `basic` (contract 2.1 rule 1, trap 11). */
function addVerdict(
  result: CheckResult,
  assessment: Assessment,
  attack: AttackIndex | null,
  obtained: FacetTimes,
): void {
  const { verdict, nowMs } = assessment;
  const observedAt = isoOf(nowMs);
  result.riskScore = verdict.riskScore as RiskScore;
  result.confidence = verdict.confidence;
  result.classification = verdict.classification as Classification;
  result.mitre = presentMitre(verdict, attack);
  result.crossCorrelation = verdict.crossCorrelation as CrossCorrelation;
  result.dataTrust = presentTrust(assessment, observedAt, result.geo !== null, obtained);
  result.evidence = presentEvidence(verdict, observedAt);
}

function addFamilies(result: CheckResult, { listings }: Assessment): void {
  const families = chooseFamilies(listings);
  const [first] = families;
  if (first === undefined) return;
  result.malwareFamily = first;
  result.malwareFamilies = families as string[];
}

function addFile(result: CheckResult, { listings, context, verdict }: Assessment, subject: Hash): void {
  result.hashInfo = hashInfoOf(subject, listings);
  const [threatType] = verdict.categories;
  if (threatType !== undefined) {
    result.threatType = threatType;
    result.categories = verdict.categories as string[];
  }
  result.lookupStatus = listings.some(isActive) ? 'known' : 'unknown';
  if (context.guards.some(({ guard }) => guard === 'known-good')) result.knownGood = true;
}

const DIGEST_BY_LENGTH = { 32: 'md5', 40: 'sha1', 64: 'sha256' } as const;

/** Collects the digests of the file: a listing that matched by another digest reveals that digest. */
function hashInfoOf({ value }: Hash, listings: Assessment['listings']): HashInfo {
  const info: HashInfo = { hashType: digestTypeOf(value) ?? 'sha256', hash: value };
  for (const { matchType, matched } of listings) {
    const type = matchType === 'alias' || matchType === 'exact' ? digestTypeOf(matched) : undefined;
    if (type !== undefined) info[type] ??= matched;
  }
  info[info.hashType] = value;
  return info;
}

const digestTypeOf = (digest: string): HashInfo['hashType'] | undefined =>
  DIGEST_BY_LENGTH[digest.length as keyof typeof DIGEST_BY_LENGTH];

/** The location of an address, or of a URL on one; for a name, the caller passes the assessment of its address. */
function presentGeo({ subject, book, context }: Assessment): GeoReply | null {
  const host = hostOf(subject);
  const geo = host?.kind === 'ip' ? book.geoOf(host) : null;
  if (geo === null) return null;
  return {
    country: geo.country,
    countryCode: geo.countryCode,
    city: geo.city,
    region: geo.region,
    lat: geo.lat,
    lon: geo.lon,
    isp: geo.isp,
    timezone: geo.timezone,
    org: geo.org,
    asn: geo.asn,
    network: networkOfLabels(context.labels, context.tags),
  };
}

type KnownMitre = { readonly attack: AttackIndex | null; readonly mitre: MitreReply };
/** Cached by verdict, which is one object for all subjects judged alike within the hour (ruling 11). */
const techniques = new WeakMap<Verdict, KnownMitre>();

function presentMitre(verdict: Verdict, attack: AttackIndex | null): MitreReply {
  const known = techniques.get(verdict);
  if (known !== undefined && known.attack === attack) return known.mitre;
  const mitre = mitreOf(attack, verdict.techniques) as MitreReply;
  techniques.set(verdict, { attack, mitre });
  return mitre;
}

/** The facets that a live lookup would add for this kind, in the order of the contract (G53). */
const PENDING: Readonly<Record<Indicator['kind'], readonly PendingFacet[]>> = {
  ip: ['whois', 'geo', 'certificates', 'otx'],
  domain: ['dns', 'whois', 'geo', 'certificates', 'otx'],
  url: ['dns', 'whois', 'geo', 'certificates', 'otx'],
  hash: ['otx', 'circl'],
  email: [],
  cidr: [],
};
function leftOut({ kind }: Indicator, hasGeo: boolean): PendingFacet[] {
  return PENDING[kind].filter((facet) => facet !== 'geo' || !hasGeo);
}

/** The field of an answer that each lookup fills. */
const FILLED = {
  dns: 'dns',
  whois: 'whois',
  addresses: 'geo',
  certificates: 'certificates',
  vulnerabilities: 'vulnerabilities',
  otx: 'otx',
  technologies: 'technologies',
  scanner: 'reputation',
} as const satisfies Record<FacetName, PendingFacet>;
const LOOKUPS = Object.keys(FILLED) as FacetName[];

/** The facets whose lookup goes on behind the answer (O80); undefined without one. */
function underway(live: LiveContext, hasGeo: boolean): PendingFacet[] | undefined {
  const pending = LOOKUPS.flatMap((name) => {
    const outcome = live[name];
    return outcome.state === 'missing' && outcome.reason === 'underway' ? [FILLED[name]] : [];
  }).filter((facet) => facet !== 'geo' || !hasGeo);
  return pending.length === 0 ? undefined : pending;
}
