import type { CheckPhase, Classification, Confidence, Evidence, RiskScore } from '@assay/sdk';

export type PhaseOf<K extends CheckPhase['type']> = Extract<CheckPhase, { readonly type: K }>['data'];

export type Target = { readonly type: 'ip' | 'domain' | 'url' | 'hash'; readonly value: string };

/** Where a source lists it, beside the entry of `sources` of the same id. */
export type Listing = {
  readonly sourceId: string;
  /** The range of a `cidr`, the domain of a `parent`, the other digest of an `alias`. */
  readonly value: string;
  readonly matchType: 'exact' | 'cidr' | 'alias' | 'parent';
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
  readonly contribution: number;
};

export type Coverage = {
  readonly kind: 'ip' | 'domain' | 'url' | 'hash';
  readonly sources: number;
  readonly listing: number;
  readonly fresh: number;
  /** An older service names none. */
  readonly silent?: readonly SilentSource[];
};

/** One that could list it and does not. */
export type SilentSource = {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** 0 to 100. */
  readonly confidenceBase: number;
  readonly fresh: boolean;
};

/** An older service sends none of the three. */
export type ReputationSeen = Omit<PhaseOf<'reputation'>, 'verdict' | 'listings' | 'coverage'> & {
  readonly verdict?: {
    readonly riskScore: RiskScore;
    readonly confidence: Confidence;
    readonly classification: Classification;
    readonly evidence: Evidence;
  };
  readonly listings?: readonly Listing[];
  readonly coverage?: Coverage;
};

/** What has come of one check so far. */
export type CheckSeen = {
  readonly target: Target;
  readonly startedAtMs: number;
  /** Done, cut or refused: nothing more comes by itself. */
  readonly isOver: boolean;
  readonly reputation?: ReputationSeen | undefined;
  readonly basic?: PhaseOf<'basic'> | undefined;
  readonly insights?: PhaseOf<'insights'> | undefined;
  readonly dns?: PhaseOf<'dns'> | undefined;
  readonly enrichment?: PhaseOf<'enrichment'> | undefined;
  readonly done?: PhaseOf<'done'> | undefined;
};

export const scoreOf = ({ insights, reputation }: CheckSeen): RiskScore | null =>
  insights?.riskScore ?? reputation?.verdict?.riskScore ?? null;
