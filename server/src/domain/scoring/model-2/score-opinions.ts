import { apportion } from '../apportion.ts';
import { tierOf } from '../categories.ts';
import { MODEL, TIERS, type Tier } from '../model.ts';
import type { Opinion } from '../opinion.ts';
import type { WeightNow } from '../weigh-now.ts';
import { weighOpinion } from '../weigh-opinion.ts';

export type Weighed = {
  readonly opinion: Opinion;
  readonly weight: WeightNow;
  readonly tier: Tier;
  /** A stronger opinion of its lineage and tier is counted already, so this one counts a quarter. */
  readonly isEcho: boolean;
  /** The evidence left after context and echo. */
  readonly effective: number;
};

export type BaseScore = {
  readonly score: number;
  /** Whole points for each counted source, which add up to the score. */
  readonly points: ReadonlyMap<string, number>;
  readonly counted: readonly Weighed[];
  /** The sum of the evidence of all tiers (E), after attenuation and before caps. */
  readonly evidence: number;
};

/** The effect of context on the score (scoring 5). */
export type Limits = {
  /** a: the share of an opinion's evidence that remains. */
  readonly attenuate: (opinion: Opinion, tier: Tier) => number;
  /** The most points that attack and nuisance may reach together. */
  readonly nonCriticalMax: number;
};
export const NO_LIMITS: Limits = { attenuate: () => 1, nonCriticalMax: 100 };

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
  const counted = weighAll(opinions, limits);
  const sums = { crit: 0, attack: 0, nuis: 0 };
  for (const { tier, effective } of counted) sums[tier] += effective;
  const left = withinLimits(sums, limits);
  const score = Math.round(100 * (1 - Math.exp(-(left.crit + left.attack + left.nuis))));
  const shares = counted.map(({ opinion, tier, effective }) => ({
    name: opinion.sourceId,
    share: sums[tier] > 0 ? (left[tier] * effective) / sums[tier] : 0,
  }));
  const evidence = counted.reduce((sum, { effective }) => sum + effective, 0);
  return { score, points: apportion(score, shares), counted, evidence };
}

/** The evidence of each tier after its cap, and after the cap on everything that is not critical. */
function withinLimits(sums: Readonly<Record<Tier, number>>, limits: Limits): Record<Tier, number> {
  const left = { crit: 0, attack: 0, nuis: 0 };
  for (const tier of TIERS)
    left[tier] = -Math.log(1 - Math.min(MODEL.tierCap[tier], 1 - Math.exp(-sums[tier])));
  const most = -Math.log(1 - limits.nonCriticalMax / 100);
  const nonCritical = left.attack + left.nuis;
  if (nonCritical > most) {
    left.attack *= most / nonCritical;
    left.nuis *= most / nonCritical;
  }
  return left;
}

/**
 * Of each tier and lineage the strongest opinion counts in full and the others as echoes; a source that repeats another
 * comes last, and ties go by source id (scoring 3). Strength is compared after context: when a lineage lists a page and
 * its well-known host, the host's listing must not turn the page's into an echo.
 */
function weighAll(opinions: readonly Opinion[], { attenuate }: Limits): readonly Weighed[] {
  const standing = opinions
    .map((opinion) => {
      const rated = weighOpinion(opinion);
      const weight = { ...rated, nats: rated.evidence, freshness: rated.decay };
      const tier = tierOf(opinion.category);
      return { opinion, weight, tier, stands: attenuate(opinion, tier) * weight.evidence };
    })
    .filter(({ weight }) => weight.evidence > 0)
    .sort(byStrength);
  const led = new Set<string>();
  return standing.map(({ opinion, weight, tier, stands }) => {
    const cluster = `${tier} ${opinion.lineage}`;
    const isEcho = led.has(cluster);
    led.add(cluster);
    return { opinion, weight, tier, isEcho, effective: isEcho ? MODEL.echo * stands : stands };
  });
}

type Standing = { readonly opinion: Opinion; readonly weight: WeightNow; readonly stands: number };
const byStrength = (a: Standing, b: Standing): number =>
  Number(a.opinion.isEchoing) - Number(b.opinion.isEchoing) ||
  b.stands - a.stands ||
  b.weight.evidence - a.weight.evidence ||
  (a.opinion.sourceId < b.opinion.sourceId ? -1 : 1);
