import { apportion } from './apportion.ts';
import { tierOf } from './categories.ts';
import { MODEL, TIERS, type Tier } from './model.ts';
import type { Opinion } from './opinion.ts';
import { type Weight, weighOpinion } from './weigh-opinion.ts';

/** An opinion that counts, with what it weighs. */
export type Weighed = {
  readonly opinion: Opinion;
  readonly weight: Weight;
  readonly tier: Tier;
  /** A stronger one of its lineage and tier counts already: a quarter is left. */
  readonly isEcho: boolean;
  /** What is left of its evidence in context and inside its lineage. */
  readonly effective: number;
};

export type BaseScore = {
  /** 0 to 100. */
  readonly score: number;
  /** Whole points a source, adding up to the score; only of opinions that count. */
  readonly points: ReadonlyMap<string, number>;
  readonly counted: readonly Weighed[];
  /** E of all tiers, after attenuation and before caps. */
  readonly evidence: number;
};

/** What context does to the score (section 5). */
export type Limits = {
  /** a: share of an opinion's evidence that stands. */
  readonly attenuate: (opinion: Opinion, tier: Tier) => number;
  /** The most that attack and nuisance may reach together, in points. */
  readonly nonCriticalMax: number;
};
export const NO_LIMITS: Limits = { attenuate: () => 1, nonCriticalMax: 100 };

/**
 * Sections 2, 3 and 5: the score of what sources say, one opinion a source. Aggregates never add to what others say:
 * the best one stands alone where it says more than all others together (ruling 4, kept monotone: an aggregate must not
 * lose its say to a fainter listing that joins it).
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

/** Ties go to the graver accusation, then to the smaller id: the same one whatever the order they come in. */
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

/** Evidence of each tier after its cap, and after the one on everything that is not critical. */
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
 * Section 3: clusters are per tier and lineage; the strongest counts whole, ties by source id. Strongest after context:
 * of a lineage that lists a page and its well-known host, the host's listing must not push the page's into the echo.
 */
function weighAll(opinions: readonly Opinion[], { attenuate }: Limits): readonly Weighed[] {
  const standing = opinions
    .map((opinion) => {
      const weight = weighOpinion(opinion);
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

type Standing = { readonly opinion: Opinion; readonly weight: Weight; readonly stands: number };
const byStrength = (a: Standing, b: Standing): number =>
  b.stands - a.stands ||
  b.weight.evidence - a.weight.evidence ||
  (a.opinion.sourceId < b.opinion.sourceId ? -1 : 1);
