import type { Corpus } from '#capabilities/corpus/index.ts';
import { type Assessment, listedAsn } from '#capabilities/judging/index.ts';
import type { DnsFacts, LookupPlan, Outcome } from '#capabilities/providers/index.ts';
import { hostOf } from '#domain/indicator/index.ts';
import type { CheckResult } from './contract.ts';
import type { PhaseData } from './contract-stream.ts';
import { presentCoverage, presentListed } from './present-coverage.ts';

/** The fields of one answer, phase by phase (decisions 3.13). `degraded` is present only when it is not empty. */
const withDegraded = <T extends object>(data: T, degraded: readonly string[]): T & { degraded?: string[] } =>
  degraded.length === 0 ? data : { ...data, degraded: [...degraded] };

/** What live lookups add to the first phase. */
type Beside = {
  /** A scanner answered, with or without a finding. */
  readonly hasScanner: boolean;
  readonly lookups: LookupPlan;
  readonly degraded: readonly string[];
};

export const presentReputation = (
  result: CheckResult,
  assessment: Assessment,
  { hasScanner, lookups, degraded }: Beside,
): PhaseData<'reputation'> =>
  withDegraded(
    {
      query: result.query ?? '',
      type: assessment.subject.kind as PhaseData<'reputation'>['type'],
      malicious: result.malicious,
      blocklistHits: result.blocklistHits ?? 0,
      blocklistListed: result.blocklistListed ?? false,
      sources: result.sources ?? [],
      infrastructure: result.infrastructure,
      service: result.service,
      lookalike: result.lookalike,
      ransomwareClaims: result.ransomwareClaims,
      organization: result.organization,
      network: presentNetwork(assessment),
      reputation: result.reputation ?? NO_ENGINE,
      lookupStatus: result.lookupStatus,
      malwareFamily: result.malwareFamily,
      malwareFamilies: result.malwareFamilies,
      verdict: firstVerdictOf(result),
      listings: presentListed(assessment),
      coverage: presentCoverage(assessment, hasScanner),
      lookups: { asked: [...lookups.asked], off: [...lookups.off] },
    },
    degraded,
  );

/** The fields are always present at `full`, the level of a stream, although their type allows undefined. */
function firstVerdictOf(result: CheckResult) {
  const { riskScore, confidence, classification, evidence, mitre, crossCorrelation, dataTrust } = result;
  const independentSources = dataTrust?.sourceAgreement.count ?? 0;
  return {
    riskScore,
    confidence,
    classification,
    evidence,
    mitre,
    crossCorrelation,
    independentSources,
  } as PhaseData<'reputation'>['verdict'];
}

function presentNetwork({ subject, book }: Assessment): PhaseData<'reputation'>['network'] {
  const host = hostOf(subject);
  const network = host?.kind === 'ip' ? book.networkOf(host) : null;
  if (host?.kind !== 'ip' || network === null) return undefined;
  const { asn, name, prefix } = network;
  const { country = null, countryCode = null } = book.geoOf(host) ?? {};
  return { asn, name, prefix, country, countryCode };
}
const NO_ENGINE = { malicious: 0, suspicious: 0, harmless: 0, undetected: 0 };

export const presentBasic = (result: CheckResult, degraded: readonly string[]): PhaseData<'basic'> =>
  withDegraded(
    {
      geo: result.geo ?? null,
      whois: result.whois ?? null,
      certificates: result.certificates ?? null,
      vulnerabilities: result.vulnerabilities ?? null,
    },
    degraded,
  );

export function presentInsights(
  result: CheckResult,
  { subject, book }: Assessment,
  corpus: Pick<Corpus, 'lookup'>,
): PhaseData<'insights'> {
  const { riskScore, confidence, classification, mitre, dataTrust, evidence } = result;
  const network = subject.kind === 'ip' ? book.networkOf(subject) : null;
  // The fields are always present at `full`, the level of a stream, although their type allows undefined.
  return {
    riskScore,
    confidence,
    classification,
    mitre,
    ...(network !== null && { asnReputation: asnReputationOf(network.asn, result, corpus) }),
    dataTrust,
    evidence,
  } as PhaseData<'insights'>;
}

/** The boost is already part of the score (scoring ruling 10); here it is shown separately (contract 6.1). */
function asnReputationOf(
  asn: number,
  { riskScore }: CheckResult,
  corpus: Pick<Corpus, 'lookup'>,
): PhaseData<'insights'>['asnReputation'] {
  const { listings } = corpus.lookup({ kind: 'asn', value: `AS${asn}`, number: asn });
  const listed = listedAsn(asn, listings);
  const boost = riskScore?.factors.find(({ name }) => name === 'asn_listed');
  return {
    asn,
    listed: listed !== null,
    list: listed?.sourceId ?? null,
    score: Math.max(0, boost?.contribution ?? 0),
  };
}

/** Fields are null for a failing name server and for an unknown name; only the former is in `degraded`. */
export function presentDns(outcome: Outcome<DnsFacts>, degraded: readonly string[]): PhaseData<'dns'> {
  if (outcome.state !== 'found') return withDegraded({ ...NO_NAME }, degraded);
  const { hasSPF, hasDMARC, hasDKIM, nameserverCount, isParked, a, aaaa, mx, ns } = outcome.value;
  return withDegraded({ hasSPF, hasDMARC, hasDKIM, nameserverCount, isParked, a, aaaa, mx, ns }, degraded);
}
const NO_NAME: PhaseData<'dns'> = {
  hasSPF: null,
  hasDMARC: null,
  hasDKIM: null,
  nameserverCount: null,
  isParked: null,
  a: [],
  aaaa: [],
  mx: [],
  ns: [],
};

export type BasicField = 'geo' | 'whois' | 'certificates' | 'vulnerabilities';
const FIELDS = ['otx', 'timeline', 'relatedInfrastructure', 'technologies'] as const;

/** `late`: fields of the phase `basic` that arrived after that phase was sent. */
export function presentEnrichment(
  result: CheckResult,
  degraded: readonly string[],
  late: readonly BasicField[],
): PhaseData<'enrichment'> {
  const data: PhaseData<'enrichment'> = {};
  for (const field of FIELDS) {
    const value = result[field] ?? (degraded.includes(field) ? null : undefined);
    if (value !== undefined) Object.assign(data, { [field]: value });
  }
  if (result.pwnedPassword !== undefined) data.pwnedPassword = result.pwnedPassword;
  const came = late.filter((field) => result[field] !== null && result[field] !== undefined);
  if (came.length > 0) data.late = Object.fromEntries(came.map((field) => [field, result[field]]));
  return withDegraded(data, degraded);
}
