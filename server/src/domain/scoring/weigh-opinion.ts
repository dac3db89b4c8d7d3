import { type HalfLife, MODEL } from './model.ts';
import type { Opinion } from './opinion.ts';
import { round3 } from './round.ts';

export type Weight = {
  /** D: 1 today, 0.5 after one half-life, 0 when it is too weak to count. */
  readonly decay: number;
  /** w: a strength from 0 to 1, like a probability. */
  readonly strength: number;
  /** e: evidence in nats, to three decimals. */
  readonly evidence: number;
};

const NOTHING: Weight = { decay: 0, strength: 0, evidence: 0 };

/** The strength and evidence of one listing (scoring 2). */
export function weighOpinion(opinion: Opinion): Weight {
  const decay = decayOf(opinion);
  if (decay < MODEL.decayMin) return NOTHING;
  const { fpRisk, matchFactor } = opinion;
  const strength = Math.min(
    MODEL.weightMax,
    reliabilityOf(opinion) * MODEL.fpFactor[fpRisk] * decay * matchFactor,
  );
  return { decay, strength, evidence: round3(-MODEL.kappa * Math.log(1 - strength)) };
}

export const reliabilityOf = ({ reliability, isAggregate }: Opinion): number =>
  isAggregate ? Math.min(MODEL.aggregateReliabilityMax, reliability) : reliability;

export function decayOf(opinion: Opinion): number {
  if (opinion.isExpired === true) return 0;
  const decay = decayAfter(halfLifeOf(opinion), opinion.ageDays);
  return opinion.isUndated ? MODEL.undatedDecay * decay : decay;
}

/** The share of a listing's strength that is left after some days. */
export function decayAfter(halfLife: HalfLife, days: number): number {
  const age = Math.max(0, days);
  if (typeof halfLife === 'number') return halfLife > 0 ? 2 ** (-age / halfLife) : 0;
  const { fastShare, fastDays, slowDays } = halfLife;
  return fastShare * 2 ** (-age / fastDays) + (1 - fastShare) * 2 ** (-age / slowDays);
}

/** How fast a listing loses weight; infinite when it does not age, 0 when it leaves at once. */
export function halfLifeOf({
  type,
  category,
  isDelisted,
}: Pick<Opinion, 'type' | 'category' | 'isDelisted'>): HalfLife {
  switch (type) {
    case 'ip':
    case 'domain':
    case 'url':
      return MODEL.halfLifeDays[type][category];
    // A file's listing does not age: it counts in full until its source revokes it, and then no longer (ruling 5).
    case 'hash':
      return isDelisted ? 0 : MODEL.halfLifeOfTypeDays.hash;
    case 'netblock':
      return isDelisted ? MODEL.halfLifeOfTypeDays.netblockDelisted : MODEL.halfLifeOfTypeDays.netblock;
    default:
      return MODEL.halfLifeOfTypeDays[type];
  }
}

/** Bisection steps, which narrow an interval of years down to a millionth of a second. */
const HALVINGS = 60;

/** How long a delisted entry still counts: until its decay falls below `decayMin`. */
export function fadeDaysOf(halfLife: HalfLife): number {
  if (typeof halfLife === 'number') return -Math.log2(MODEL.decayMin) * halfLife;
  let [from, to] = [0, -Math.log2(MODEL.decayMin) * Math.max(halfLife.fastDays, halfLife.slowDays)];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (from + to) / 2;
    if (decayAfter(halfLife, middle) < MODEL.decayMin) to = middle;
    else from = middle;
  }
  return to;
}
