import type { ContextFacts, GuardName, RankBucket, Subject } from './facts.ts';
import { type Attenuation, MODEL, type Tier } from './model.ts';

export type GuardFactor = {
  readonly name:
    | 'named_service'
    | 'service_range'
    | 'shared_egress'
    | 'anonymity_network'
    | 'known_good'
    | 'popular'
    | 'research_scanner';
  readonly attenuation: Attenuation;
  /** `host`: speaks for the host of a URL. `parent`: for the domain above, against accusations inherited from it. */
  readonly scope: 'itself' | 'host' | 'parent';
  readonly matched: string;
  readonly sourceId: string;
  readonly rankBucket: RankBucket | null;
};

const NONE: Attenuation = { crit: 1, attack: 1, nuis: 1 };
const RANKS = {
  1000: MODEL.attenuation.rank1k,
  10000: MODEL.attenuation.rank10k,
  100000: MODEL.attenuation.rank100k,
  1000000: MODEL.attenuation.rank1m,
} as const;

type Effect = Pick<GuardFactor, 'name' | 'attenuation'>;

/** The contexts that apply to this subject (scoring 5), in the order of the guards. */
export function guardFactorsOf(context: ContextFacts, subject: Subject): readonly GuardFactor[] {
  const { rankBucket } = context;
  return [
    ...context.guards.flatMap(({ guard, scope, matched, sourceId }) => {
      const effect = effectOf(guard, context, subject);
      return effect === null ? [] : [{ ...effect, scope, matched, sourceId, rankBucket }];
    }),
    ...context.inheritedGuards.flatMap(({ guard, ...of }) => {
      const effect = effectOf(guard, of, subject);
      return effect === null ? [] : [{ ...effect, ...of, scope: 'parent' as const }];
    }),
  ];
}

function effectOf(
  guard: GuardName,
  { rankBucket }: Pick<ContextFacts, 'rankBucket'>,
  { kind }: Subject,
): Effect | null {
  const { service, sharedEgress, anonymity, knownGood, knownGoodHash } = MODEL.attenuation;
  switch (guard) {
    case 'named-service':
      return { name: 'named_service', attenuation: service };
    case 'service':
      return { name: 'service_range', attenuation: service };
    case 'shared-egress':
      return { name: 'shared_egress', attenuation: sharedEgress };
    case 'anonymity':
      return { name: 'anonymity_network', attenuation: anonymity };
    case 'known-good':
      return { name: 'known_good', attenuation: kind === 'hash' ? knownGoodHash : knownGood };
    case 'popularity':
      return rankBucket === null ? null : { name: 'popular', attenuation: RANKS[rankBucket] };
    // Attenuates nothing by itself: scores for scanning are capped instead (`scannerScoreMax`).
    case 'scanner':
      return { name: 'research_scanner', attenuation: NONE };
    case 'platform':
      return null;
  }
}

/** In each tier only the strongest context counts; contexts do not multiply. */
export function strongest(factors: readonly GuardFactor[], tier: Tier): number {
  let least = 1;
  for (const { attenuation } of factors) least = Math.min(least, attenuation[tier]);
  return least;
}
