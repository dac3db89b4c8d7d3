import type {
  CheckPhase,
  Classification,
  Confidence,
  CrossCorrelation,
  Evidence,
  Mitre,
  RiskScore,
} from '@assay/sdk';

export type PhaseOf<K extends CheckPhase['type']> = Extract<CheckPhase, { readonly type: K }>['data'];

export type Target = { readonly type: 'ip' | 'domain' | 'url' | 'hash'; readonly value: string };

type Reputation = PhaseOf<'reputation'>;

type ListedValue = Reputation['listings'][number];

/**
 * The listing of the indicator by one source, which `sources` names under the same id. An older service does not send
 * `stillListedOn`.
 */
export type Listing = Omit<ListedValue, 'stillListedOn'> & Partial<Pick<ListedValue, 'stillListedOn'>>;

/** How many sources could list the indicator and do. An older service counts the silent ones without naming them. */
export type Coverage = Omit<Reputation['coverage'], 'silent'> &
  Partial<Pick<Reputation['coverage'], 'silent'>>;

export type SilentSource = Reputation['coverage']['silent'][number];

/** The first phase. An older service sends neither the verdict, the listings, the coverage nor the lookups. */
export type ReputationSeen = Omit<Reputation, 'verdict' | 'listings' | 'coverage' | 'lookups'> & {
  readonly verdict?: {
    readonly riskScore: RiskScore;
    readonly confidence: Confidence;
    readonly classification: Classification;
    readonly evidence: Evidence;
    readonly mitre?: Mitre;
    readonly crossCorrelation?: CrossCorrelation;
    readonly independentSources?: number;
  };
  readonly listings?: readonly Listing[];
  readonly coverage?: Coverage;
  readonly lookups?: Reputation['lookups'];
};

export type CheckSeen = {
  readonly target: Target;
  readonly startedAtMs: number;
  /** True when the check is done, cut or refused, so that no more phases arrive. */
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
