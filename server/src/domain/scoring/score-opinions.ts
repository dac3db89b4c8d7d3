import { apportion } from './apportion.ts';
import { tierOf } from './categories.ts';
import { joinLineages, type Spoken } from './join-lineages.ts';
import { MODEL, TIERS, type Tier } from './model.ts';
import type { Opinion } from './opinion.ts';
import { type WeightNow, weighNow } from './weigh-now.ts';

export type Weighed = {
  readonly opinion: Opinion;
  readonly weight: WeightNow;
  readonly tier: Tier;
  /** A stronger opinion of its lineage and tier is counted already, so this one counts a quarter. */
  readonly isEcho: boolean;
  /** The nats left after context and echo. */
  readonly effective: number;
};

export type BaseScore = {
  readonly score: number;
  /** Whole points for each counted source, which add up to the score. */
  readonly points: ReadonlyMap<string, number>;
  readonly counted: readonly Weighed[];
  /** What each lineage says after context, in nats, before further lineages count less. */
  readonly lineages: ReadonlyMap<string, number>;
  /** The sum of the evidence of Score 2, after context and echo; the confidence rests on it. */
  readonly evidence: number;
};

/** The effect of context on the score (scoring 5). */
export type Limits = {
  /** a: the share of an opinion's nats that remains. */
  readonly attenuate: (opinion: Opinion, tier: Tier) => number;
  /** The most points that attack and nuisance may reach together. */
  readonly nonCriticalMax: number;
  /** The subject is a name: no listing of an address counts, and lineages repeat each other (scoring 3). */
  readonly isOfName: boolean;
};
export const NO_LIMITS: Limits = { attenuate: () => 1, nonCriticalMax: 100, isOfName: false };

/**
 * The score of the accusations, one opinion for each source (scoring 2, 3 and 5). Aggregates never add to other
 * sources: the best one counts alone where it is stronger than all others together (ruling 4, kept monotone: a weaker
 * listing that joins must not silence an aggregate).
 */
export function scoreOpinions(opinions: readonly Opinion[], limits = NO_LIMITS): BaseScore {
  const own = scoreOf(
    opinions.filter((opinion) => !opinion.isAggregate),
    limits,
  );
  const [best] = opinions
    .filter((opinion) => opinion.isAggregate)
    .map((aggregate) => scoreOf([aggregate], limits))
    .filter(({ counted }) => counted.length > 0)
    .sort(byStrengthAlone);
  if (best === undefined) return own;
  return own.counted.length === 0 || best.score > own.score ? best : own;
}

/** Ties go to the more serious category, then to the smaller id, so that the input order does not matter. */
function byStrengthAlone(a: BaseScore, b: BaseScore): number {
  const [first, second] = [a.counted[0] as Weighed, b.counted[0] as Weighed];
  return (
    b.score - a.score ||
    b.evidence - a.evidence ||
    TIERS.indexOf(first.tier) - TIERS.indexOf(second.tier) ||
    (first.opinion.sourceId < second.opinion.sourceId ? -1 : 1)
  );
}

function scoreOf(opinions: readonly Opinion[], limits: Limits): BaseScore {
  const { counted, evidence } = weighAll(opinions, limits);
  const spoken = counted.map(
    ({ opinion, tier, effective }): Spoken => ({
      name: opinion.sourceId,
      lineage: opinion.lineage,
      // What an operator or an organization lists is to be blocked as they say, whatever its category (O14, O81).
      tier: opinion.isOwnWord === true ? 'crit' : tier,
      nats: effective,
    }),
  );
  const { shares, lineages } = joinLineages(spoken, limits);
  const nats = shares.reduce((sum, { share }) => sum + share, 0);
  const score = Math.round(100 * (1 - Math.exp(-nats)));
  return { score, points: apportion(score, shares), counted, lineages, evidence };
}

/**
 * Of each tier and lineage the strongest opinion counts in full and the others as echoes; a source that repeats another
 * comes last, and ties go by source id (scoring 3). Strength is compared after context: when a lineage lists a page and
 * its well-known host, the host's listing must not turn the page's into an echo.
 */
function weighAll(
  opinions: readonly Opinion[],
  { attenuate }: Limits,
): { readonly counted: readonly Weighed[]; readonly evidence: number } {
  const standing = opinions
    .map((opinion) => {
      const weight = weighNow(opinion);
      const tier = tierOf(opinion.category);
      const left = attenuate(opinion, tier);
      return { opinion, weight, tier, stands: left * weight.nats, evidence: left * weight.evidence };
    })
    .filter(({ weight }) => weight.nats > 0)
    .sort(byStrength);
  const led = new Set<string>();
  let sum = 0;
  const counted = standing.map(({ opinion, weight, tier, stands, evidence }) => {
    const cluster = `${tier} ${opinion.lineage}`;
    const isEcho = led.has(cluster);
    led.add(cluster);
    sum += isEcho ? MODEL.echo * evidence : evidence;
    return { opinion, weight, tier, isEcho, effective: isEcho ? MODEL.echo * stands : stands };
  });
  return { counted, evidence: sum };
}

type Standing = { readonly opinion: Opinion; readonly weight: WeightNow; readonly stands: number };
const byStrength = (a: Standing, b: Standing): number =>
  Number(a.opinion.isEchoing) - Number(b.opinion.isEchoing) ||
  b.stands - a.stands ||
  b.weight.nats - a.weight.nats ||
  (a.opinion.sourceId < b.opinion.sourceId ? -1 : 1);
