import type { GuardFactor } from './attenuation.ts';
import type { Engines } from './engines.ts';
import type { ListingFacts } from './facts.ts';
import type { Weighed } from './score-opinions.ts';
import type { SignalName } from './signal-facts.ts';

/** A part of the score that is not a source; its points may be negative. */
export type Adjustment = {
  readonly name:
    | GuardFactor['name']
    | 'grade_a_floor'
    | 'service_uncorroborated'
    | 'named_service_limit'
    | 'popular_uncorroborated'
    | 'platform_root'
    | 'verified_scanner'
    | 'only_below'
    | 'undated'
    | 'test_file'
    | 'reported_now'
    | 'named_itself'
    | 'asn_listed'
    | 'scanner_floor'
    | 'verified_c2'
    | SignalName;
  readonly contribution: number;
  readonly sourceId: string | null;
  /** The guard that took the points away. */
  readonly guard: GuardFactor | null;
};

export type CountedListing = Weighed & { readonly listing: ListingFacts; readonly points: number };

export type ScoredCase = {
  /** The exact sum of the points of the sources and of the adjustments. */
  readonly score: number;
  readonly counted: readonly CountedListing[];
  readonly adjustments: readonly Adjustment[];
  readonly guards: readonly GuardFactor[];
  /** The sum of the evidence of all lineages (E), before guards and other context; what the confidence rests on. */
  readonly evidence: number;
  readonly engines: Engines;
  /** A source that verifies each entry itself names the value now, and no list vouches for the value (O60). */
  readonly isMalicious: boolean;
};
