import { MODEL } from './model.ts';
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

function decayOf(opinion: Opinion): number {
  const halfLifeDays = halfLifeDaysOf(opinion);
  return halfLifeDays > 0 ? 2 ** (-Math.max(0, opinion.ageDays) / halfLifeDays) : 0;
}

/** Days until half of a listing is left; infinite when it does not age, 0 when it leaves at once. */
export function halfLifeDaysOf({
  type,
  category,
  isDelisted,
}: Pick<Opinion, 'type' | 'category' | 'isDelisted'>): number {
  switch (type) {
    case 'ip':
    case 'domain':
    case 'url':
      return MODEL.halfLifeDays[type][category];
    // A file is revoked and does not age (ruling 5).
    case 'hash':
      return isDelisted ? 0 : MODEL.halfLifeOfTypeDays.hash;
    case 'netblock':
      return isDelisted ? MODEL.halfLifeOfTypeDays.netblockDelisted : MODEL.halfLifeOfTypeDays.netblock;
    default:
      return MODEL.halfLifeOfTypeDays[type];
  }
}

/** How long a delisted entry still counts: until its decay falls below `decayMin`. */
export const fadeDaysOf = (halfLifeDays: number): number => -Math.log2(MODEL.decayMin) * halfLifeDays;
