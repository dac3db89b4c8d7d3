import { z } from 'zod';
import { RECOMMENDED_ACTIONS, RISK_LEVELS } from '#domain/scoring/index.ts';

const percent = z.int().min(0).max(100);
const timestamp = z.string().describe('RFC 3339, UTC.');
const strength = z.number().min(0);
const CONFIDENCE_LEVELS = ['low', 'medium', 'high'] as const;
const FRESHNESS = ['fresh', 'recent', 'stale', 'unknown'] as const;
const freshness = z
  .enum(FRESHNESS)
  .describe('By the age of the data itself: up to 24 hours, up to 7 days, older, or not known.');
const ageHours = z.int().min(0).nullable();

export const RiskScore = z
  .object({
    score: percent,
    level: z
      .enum(RISK_LEVELS)
      .describe(
        'low 10-34, medium 35-59, high 60-84, critical 85-100. Below 10: safe where a list vouches for the value itself, else inconclusive.',
      ),
    word: z
      .string()
      .describe(
        'What the verdict is called. Malicious if and only if `malicious` is true; without it Critical risk, High risk, Suspicious; at low Reported (a source lists it now), Reported long ago or Low suspicion (no source lists it). Otherwise Common service: NAME, Known good, Popular site, Old report, Weak report, Tracking only, Not listed, Not seen … Exceptions: Reserved address, Reserved name, Empty file, Test file, Vulnerable driver. The same on every surface. Beyond the contract.',
      ),
    summary: z.string().describe('One sentence. Beyond the contract.'),
    factors: z
      .array(
        z.object({
          name: z.string().describe('A source id, or what context did: service_range, popular …'),
          weight: z.number().describe('Strength of the listing, 0 to 1; 0 for what context did.'),
          score: z.number().describe('The same as points of 100.'),
          contribution: z.int().describe('Points of the score; negative where context lowers it.'),
          description: z.string(),
        }),
      )
      .describe('The contributions add up to the score.'),
  })
  .meta({ id: 'RiskScore' });
export type RiskScore = z.infer<typeof RiskScore>;

export const Confidence = z
  .object({
    score: percent,
    level: z.enum(CONFIDENCE_LEVELS),
    explanation: z.string().describe('One sentence. Beyond the contract.'),
  })
  .meta({ id: 'Confidence' });
export type Confidence = z.infer<typeof Confidence>;

export const Classification = z
  .object({
    primary: z
      .string()
      .describe(
        'safe, suspicious, malware, phishing, c2, botnet, ransomware, spam, scam, fraud, bruteforce, scanner, abuse, tracking, attack or unknown.',
      ),
    secondary: z.array(z.string()),
    confidence: percent.describe('Beyond the contract.'),
    indicators: z
      .array(
        z.object({ type: z.string(), category: z.string(), description: z.string(), weight: z.number() }),
      )
      .describe('What the class rests on. Beyond the contract.'),
  })
  .meta({ id: 'Classification' });
export type Classification = z.infer<typeof Classification>;

const Contradiction = z
  .object({
    type: z.string(),
    severity: z.enum(['low', 'medium', 'high']),
    title: z.string(),
    description: z.string(),
  })
  .meta({ id: 'Contradiction' });

/** How the sources relate to each other (G6). */
export const CrossCorrelation = z
  .object({
    signals: z
      .array(Contradiction.extend({ effect: z.enum(['confirms', 'contradicts']) }))
      .describe('Sources that confirm each other, and what speaks against them.'),
    riskModifier: z
      .int()
      .describe(
        'Points of `riskScore` that come from context and from no list. Already in it: do not add it.',
      ),
    confidenceModifier: z
      .int()
      .describe('Points that a contradiction took from `confidence`. Already in it: do not add it.'),
    summary: z.string().describe('One sentence.'),
  })
  .meta({ id: 'CrossCorrelation' });
export type CrossCorrelation = z.infer<typeof CrossCorrelation>;

/** The parts of an answer, in this order (G9). */
export const FACETS = [
  'reputation',
  'sources',
  'whois',
  'geo',
  'certificates',
  'dns',
  'vulnerabilities',
  'otx',
] as const;
export type Facet = (typeof FACETS)[number];

const Completeness = z.object({
  score: percent.describe('Share of the eight facets that are present.'),
  present: z.array(z.enum(FACETS)),
  missing: z.array(z.enum(FACETS)),
  facetFreshness: z
    .partialRecord(
      z.enum(FACETS),
      z.object({ fetchedAt: timestamp.nullable(), freshness, dataAgeHours: ageHours }),
    )
    .describe(
      'Of each facet that is present: the date of its newest data. Stale also where an upstream fails and what it said before is shown. Beyond the contract.',
    ),
});
export type Completeness = z.infer<typeof Completeness>;

const TrustedSource = z.object({
  name: z.string(),
  type: z.string(),
  category: z.string().describe('Beyond the contract.'),
  threatClass: z.string().describe('Beyond the contract.'),
  reliability: z.number().min(0).max(1),
  reliabilityLevel: z.enum(['low', 'medium', 'high']),
  noiseProfile: z.enum(['precise', 'contextual', 'noisy']),
});

export const DataTrust = z
  .object({
    observedAt: timestamp,
    freshness,
    dataAgeHours: ageHours,
    firstSeen: timestamp.nullable().describe('When a source that accuses first listed it; null: none does.'),
    lastSeen: timestamp.nullable().describe('When such a source last saw it.'),
    lastUpdated: timestamp
      .nullable()
      .describe('Newest data of the sources that list it, else of those that could have.'),
    sourceAgreement: z.object({
      count: z.int().min(0).describe('Independent origins: lists of one operator count once.'),
      weightedStrength: strength,
      level: z.enum(['none', 'weak', 'moderate', 'strong']),
      scannerDetections: z.int().min(0),
      scannerSuspicious: z.int().min(0),
      scannerClean: z.int().min(0),
    }),
    sources: z.array(TrustedSource),
    completeness: Completeness,
    providerAgreement: z.object({
      status: z.enum(['agreement', 'disagreement', 'unknown']),
      summary: z.string(),
      contradictorySignals: z.array(Contradiction),
    }),
    snapshotId: z
      .string()
      .describe(
        'State of the data this answer is of: corpus sequence, versions of context and signals, model version. Equal ids judge alike. An extension.',
      ),
  })
  .meta({ id: 'DataTrust' });
export type DataTrust = z.infer<typeof DataTrust>;

export const Evidence = z
  .object({
    verdict: z
      .enum(['safe', 'low', 'medium', 'high', 'critical', 'unknown'])
      .describe('The level, or unknown where the level is inconclusive.'),
    score: percent,
    confidence: z
      .object({ score: percent, level: z.enum(CONFIDENCE_LEVELS) })
      .nullable()
      .describe('Beyond the contract.'),
    observedAt: timestamp,
    reasons: z.array(z.string()).describe('Sentences, strongest first.'),
    contradictorySignals: z.array(Contradiction),
    sourceSummary: z.object({
      count: z.int().min(0),
      weightedStrength: strength,
      highReliabilityCount: z.int().min(0),
      noiseWarnings: z.array(z.string()),
    }),
    freshness,
    dataAgeHours: ageHours.describe('Beyond the contract.'),
    recommendedAction: z
      .enum(RECOMMENDED_ACTIONS)
      .describe(
        '`not-applicable`: reputation does not apply, as for a private address. `ignore`: the value says nothing, as the empty file.',
      ),
    analystStatus: z.enum(['new', 'in_review', 'confirmed', 'dismissed']),
  })
  .meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof Evidence>;
