import { z } from 'zod';
import { DnsFacts, Otx, Technologies } from '#capabilities/providers/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { LIVE_NAMES } from '#platform/config-live.ts';
import { CheckResult, refusalOf } from './contract.ts';
import { RelatedInfrastructure, Timeline } from './contract-context.ts';
import { SourceEntry } from './contract-listings.ts';
import { targetQuery, targetText } from './target-query.ts';

/** Unlike `GET /check`, a stream without a target is refused (contract 6.1, decisions 3.13). */
export const StreamQuery = targetQuery(
  targetText(
    'IP address, domain, URL, or MD5, SHA-1 or SHA-256 of a file. Defanged forms are understood.',
    '185.220.101.1',
  ),
  (indicator): StreamQuery | string => refusalOf(indicator) ?? { indicator },
);
export type StreamQuery = { readonly indicator: Indicator };

const degraded = z
  .array(z.string().max(40))
  .max(16)
  .optional()
  .describe('Parts of this phase whose lookup failed or was too slow; each is null.');
const shape = CheckResult.shape;
const STREAM_KINDS = ['ip', 'domain', 'url', 'hash'] as const;

/** Not in the contract: the verdict in the first phase, so that a reader need not wait for slow registries. */
const FirstVerdict = z
  .object({
    riskScore: shape.riskScore.unwrap(),
    confidence: shape.confidence.unwrap(),
    classification: shape.classification.unwrap(),
    evidence: shape.evidence.unwrap().unwrap(),
    mitre: shape.mitre.unwrap(),
    crossCorrelation: shape.crossCorrelation.unwrap(),
    independentSources: z
      .int()
      .min(0)
      .describe('Origins that accuse it and do not copy each other: lists of one operator count once.'),
  })
  .describe('The verdict, which is one for the whole stream: `insights` repeats it. Beyond the contract.');

const ListedValue = z
  .object({
    sourceId: z.string(),
    value: z
      .string()
      .describe(
        'What the source lists: the indicator itself, the range around it, the domain above it, the other digest.',
      ),
    matchType: SourceEntry.shape.matchType,
    firstSeen: z.string().nullable().describe('RFC 3339, UTC; null where it is not known.'),
    lastSeen: z
      .string()
      .nullable()
      .describe('When the source last saw it; null where the source dates no sightings.'),
    stillListedOn: z
      .string()
      .nullable()
      .describe('The date of the data in which the source still lists it; null where it is not known.'),
    contribution: z
      .int()
      .min(0)
      .describe('Points of the score that come from it; 0 from what only describes.'),
  })
  .meta({ id: 'ListedValue' });

const SilentSource = z
  .object({
    id: z.string(),
    name: z.string(),
    category: SourceEntry.shape.category,
    confidenceBase: SourceEntry.shape.confidenceBase,
    fresh: z.boolean().describe('Its data came on time.'),
  })
  .meta({ id: 'SilentSource' });

const Coverage = z
  .object({
    kind: z.enum(STREAM_KINDS),
    sources: z.int().min(0).describe('Threat sources that could list something of this kind.'),
    listing: z
      .int()
      .min(0)
      .describe('Of these, those that list it now. The others do not, which is no proof of good.'),
    fresh: z.int().min(0).describe('Of these, those whose data came on time.'),
    silent: z
      .array(SilentSource)
      .describe('Those that could list it and do not, the most reliable first. No proof of good.'),
  })
  .meta({ id: 'Coverage' });

const liveNames = z.array(z.enum(LIVE_NAMES));
/** Not in the contract: a reader names only outside services that are asked (O80). */
const LookupPlan = z
  .object({
    asked: liveNames.describe('Asked about this value; their answers come with the later phases.'),
    off: liveNames.describe(
      'These cover this kind of value, and are turned off or not set up on this server.',
    ),
  })
  .meta({ id: 'LookupPlan' });

/** Not in the contract: the network of the address, from local tables without a lookup. */
const Network = z
  .object({
    asn: z.int().min(0),
    name: z.string().describe('The operator of the autonomous system.'),
    prefix: z.string().nullable().describe('The range around the address that the network announces.'),
    country: z.string().nullable(),
    countryCode: z.string().nullable().describe('ISO 3166-1, two letters.'),
  })
  .meta({ id: 'AnnouncedNetwork' });

const ReputationPhase = z.object({
  query: z.string(),
  type: z.enum(STREAM_KINDS),
  malicious: shape.malicious,
  blocklistHits: z.int().min(0),
  blocklistListed: z.boolean(),
  sources: shape.sources.unwrap(),
  infrastructure: shape.infrastructure,
  service: shape.service,
  lookalike: shape.lookalike,
  ransomwareClaims: shape.ransomwareClaims,
  organization: shape.organization,
  network: Network.optional().describe('Of an address, or of a URL on one. Beyond the contract.'),
  reputation: shape.reputation.unwrap(),
  lookupStatus: shape.lookupStatus,
  malwareFamily: shape.malwareFamily,
  malwareFamilies: shape.malwareFamilies,
  verdict: FirstVerdict,
  listings: z
    .array(ListedValue)
    .describe('What each entry of `sources` lists, in the same order. Beyond the contract.'),
  coverage: Coverage.describe(
    'How many sources cover this kind of indicator, and how many list it. Beyond the contract.',
  ),
  lookups: LookupPlan.describe(
    'Outside services of the live lookups that cover this value; both lists are empty for a reserved one. Beyond the contract.',
  ),
  degraded,
});

const BasicPhase = z.object({
  geo: shape.geo.unwrap(),
  whois: shape.whois.unwrap(),
  certificates: shape.certificates.unwrap(),
  vulnerabilities: shape.vulnerabilities.unwrap(),
  degraded,
});

const InsightsPhase = z.object({
  riskScore: shape.riskScore.unwrap(),
  confidence: shape.confidence.unwrap(),
  classification: shape.classification.unwrap(),
  mitre: shape.mitre.unwrap(),
  asnReputation: z
    .object({
      asn: z.int().min(0),
      listed: z
        .boolean()
        .describe('By a list of networks that serve crime; one of hosting companies does not count.'),
      list: z.string().nullable().describe('Id of that source.'),
      score: z.int().min(0).max(5).describe('Points of riskScore that come from it.'),
    })
    .optional()
    .describe('Of an address whose network is known.'),
  dataTrust: shape.dataTrust.unwrap().unwrap().describe('Completeness is of what had come by then.'),
  evidence: shape.evidence.unwrap().unwrap(),
});

/** Fields are null and lists empty when the name servers did not answer, or do not know the name. */
const DnsPhase = z.object({
  hasSPF: DnsFacts.shape.hasSPF.nullable(),
  hasDMARC: DnsFacts.shape.hasDMARC.nullable(),
  hasDKIM: DnsFacts.shape.hasDKIM,
  nameserverCount: DnsFacts.shape.nameserverCount.nullable(),
  isParked: DnsFacts.shape.isParked.nullable(),
  a: DnsFacts.shape.a,
  aaaa: DnsFacts.shape.aaaa,
  mx: DnsFacts.shape.mx,
  ns: DnsFacts.shape.ns,
  degraded,
});

const EnrichmentPhase = z.object({
  otx: Otx.nullable().optional(),
  timeline: Timeline.nullable().optional(),
  relatedInfrastructure: RelatedInfrastructure.nullable().optional(),
  technologies: Technologies.nullable().optional(),
  pwnedPassword: shape.pwnedPassword,
  late: z
    .object({
      geo: shape.geo,
      whois: shape.whois,
      certificates: shape.certificates,
      vulnerabilities: shape.vulnerabilities,
    })
    .optional()
    .describe('Parts that arrived after `basic` was sent. Beyond the contract.'),
  degraded,
});

const DonePhase = z.object({
  apiVersion: z.literal('v2'),
  enrichmentLevel: z.literal('full'),
  processingTime: z.int().min(0).describe('Milliseconds.'),
});

/** One event per data line, in this order; `dns` only for names (contract 6.1, decisions 3.13). */
export const CheckEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('reputation'), data: ReputationPhase }),
    z.object({ type: z.literal('basic'), data: BasicPhase }),
    z.object({ type: z.literal('insights'), data: InsightsPhase }),
    z.object({ type: z.literal('dns'), data: DnsPhase }),
    z.object({ type: z.literal('enrichment'), data: EnrichmentPhase }),
    z.object({ type: z.literal('done'), data: DonePhase }),
    z.object({
      type: z.literal('error'),
      data: z.object({ error: z.string(), message: z.string() }).describe('In the place of `done`.'),
    }),
  ])
  .meta({ id: 'CheckEvent' });
export type CheckEvent = z.infer<typeof CheckEvent>;
export type PhaseData<T extends CheckEvent['type']> = Extract<CheckEvent, { type: T }>['data'];
