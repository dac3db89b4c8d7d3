import { pointsOfShare, shareOfPoints } from '../weights/index.ts';
import { MODEL } from './model.ts';
import type { Opinion } from './opinion.ts';
import { round3 } from './round.ts';
import { decayAfter, decayOf, halfLifeOf, reliabilityOf, weighOpinion } from './weigh-opinion.ts';

export type WeightNow = {
  /** D: what is left of the listing. */
  readonly decay: number;
  /** How strong the listing is by itself, from 0 to 1: of a name what it is worth alone, else w. */
  readonly strength: number;
  /** e of Score 2, which the confidence still rests on. */
  readonly evidence: number;
  /** What the listing adds to the score, in nats, to three decimals. */
  readonly nats: number;
  /** D of Score 2, which the confidence calls freshness. */
  readonly freshness: number;
};

export const natsOfPoints = (points: number): number => -Math.log(1 - points / 100);

/** What one listing is worth in model 3 (scoring 2). */
export function weighNow(opinion: Opinion): WeightNow {
  const rated = weighOpinion(opinion);
  const decay = decayNow(opinion);
  const nats = decay < MODEL.decayMin ? 0 : round3(natsOf(opinion, decay));
  const strength = opinion.name === undefined ? rated.strength : 1 - Math.exp(-nats);
  return { decay, strength, evidence: rated.evidence, freshness: rated.decay, nats };
}

function natsOf(opinion: Opinion, decay: number): number {
  const { name, matchFactor, certainty = 1, cap } = opinion;
  if (name !== undefined) {
    // An entry that left falls from its limit at once; else a strong share would keep it there for weeks.
    const share = opinion.back === undefined ? name.share : Math.max(name.share, shareOfPoints(name.cap));
    return natsOfPoints(soloPointsOf({ ...name, share }, decay)) * certainty * matchFactor;
  }
  const strength = Math.min(
    MODEL.weightMax,
    reliabilityOf(opinion) * MODEL.fpFactor[opinion.fpRisk] * decay * matchFactor,
  );
  const evidence = -MODEL.kappa * Math.log(1 - strength);
  return (cap === undefined ? evidence : Math.min(evidence, natsOfPoints(cap))) * certainty;
}

/** The whole points of one listing of a name: the share of entries that people visit, seen through what is left of it. */
export const soloPointsOf = (
  { share, cap, least }: Pick<NonNullable<Opinion['name']>, 'share' | 'cap' | 'least'>,
  decay: number,
): number => Math.min(cap, Math.max(least, Math.round(pointsOfShare(share / decay))));

function decayNow(opinion: Opinion): number {
  const { name, back = 1, isExpired, isUndated, fadeDays = opinion.ageDays } = opinion;
  if (isExpired === true) return 0;
  if (name === undefined) return back * decayOf(opinion);
  if (name.decay !== null) return name.decay;
  // An entry that repeats another list's is as old as the original (echoes.ts).
  const days = opinion.isEchoing ? Math.max(fadeDays, opinion.ageDays) : fadeDays;
  const left = decayAfter(halfLifeOf(opinion), days);
  return isUndated ? MODEL.undatedDecay * left : back * left;
}
