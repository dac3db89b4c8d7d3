import type { RiskLevel } from './levels.ts';

/** One part of the score (G2). The contributions of all parts add up to the score. */
export type Factor = {
  /** A source id, or the name of an adjustment such as `service_range`. */
  readonly name: string;
  /** The strength of the listing, 0 to 1; 0 for adjustments. */
  readonly weight: number;
  readonly score: number;
  readonly contribution: number;
  readonly description: string;
};

export type ConfidenceLevel = 'low' | 'medium' | 'high';
export const RECOMMENDED_ACTIONS = [
  'block',
  'escalate',
  'review',
  'monitor',
  'allow',
  'unverified',
  /** Reputation does not apply, as for a private address (O70). */
  'not-applicable',
  /** The value says nothing, as the empty file (O70). */
  'ignore',
] as const;
export type RecommendedAction = (typeof RECOMMENDED_ACTIONS)[number];
export type Freshness = 'fresh' | 'recent' | 'stale' | 'unknown';

/** A contradiction between signals, in the form of G10. */
export type Contradiction = {
  readonly type: string;
  readonly severity: 'low' | 'medium' | 'high';
  readonly title: string;
  readonly description: string;
};

export type CorrelationSignal = Contradiction & { readonly effect: 'confirms' | 'contradicts' };

/** The verdict on one subject at one hour. It does not depend on the caller or on the minute within the hour. */
export type Verdict = {
  /** A scanner-signal source lists it now (G13). */
  readonly malicious: boolean;
  readonly blocklistHits: number;
  readonly reputation: {
    readonly malicious: number;
    readonly suspicious: number;
    readonly harmless: number;
    readonly undetected: number;
  };
  readonly riskScore: {
    readonly score: number;
    readonly level: RiskLevel;
    /** What the level is called on every surface (O49). */
    readonly word: string;
    readonly summary: string;
    readonly factors: readonly Factor[];
  };
  readonly confidence: {
    readonly score: number;
    readonly level: ConfidenceLevel;
    readonly explanation: string;
  };
  readonly classification: {
    readonly primary: string;
    readonly secondary: readonly string[];
    readonly confidence: number;
    readonly indicators: readonly {
      readonly type: string;
      readonly category: string;
      readonly description: string;
      readonly weight: number;
    }[];
  };
  readonly techniques: readonly string[];
  readonly trust: {
    readonly freshness: Freshness;
    readonly dataAgeHours: number | null;
    readonly sourceAgreement: {
      readonly count: number;
      readonly weightedStrength: number;
      readonly level: 'none' | 'weak' | 'moderate' | 'strong';
      readonly scannerDetections: number;
      readonly scannerSuspicious: number;
      readonly scannerClean: number;
    };
    readonly sources: readonly {
      readonly name: string;
      readonly type: string;
      readonly category: string;
      readonly threatClass: string;
      readonly reliability: number;
      readonly reliabilityLevel: 'low' | 'medium' | 'high';
      readonly noiseProfile: 'precise' | 'contextual' | 'noisy';
    }[];
    readonly providerAgreement: {
      readonly status: 'agreement' | 'disagreement' | 'unknown';
      readonly summary: string;
      readonly contradictorySignals: readonly Contradiction[];
    };
  };
  readonly evidence: {
    /** The level, or `unknown` where the level is inconclusive (ruling 7, O51). */
    readonly verdict: Exclude<RiskLevel, 'inconclusive'> | 'unknown';
    readonly score: number;
    readonly confidence: { readonly score: number; readonly level: ConfidenceLevel };
    readonly reasons: readonly string[];
    readonly contradictorySignals: readonly Contradiction[];
    readonly sourceSummary: {
      readonly count: number;
      readonly weightedStrength: number;
      readonly highReliabilityCount: number;
      readonly noiseWarnings: readonly string[];
    };
    readonly freshness: Freshness;
    readonly dataAgeHours: number | null;
    readonly recommendedAction: RecommendedAction;
    readonly analystStatus: 'new';
  };
  /** How the sources relate to each other (G6); its points are already in score and confidence. */
  readonly crossCorrelation: {
    readonly signals: readonly CorrelationSignal[];
    readonly riskModifier: number;
    readonly confidenceModifier: number;
    readonly summary: string;
  };
  /** The score categories of current threat listings, strongest first: `categories` of a bulk row. */
  readonly categories: readonly string[];
};
