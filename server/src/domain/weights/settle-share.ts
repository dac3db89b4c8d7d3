import { pointsOfShare, shareOfPoints } from './share-points.ts';
import { sixDigits } from './six-digits.ts';

/** A share comes into force slowly, because it decides the level of every name of a list. */
const STILL_POINTS = 2;
const STEP_POINTS = 3;
const CROSSING_NIGHTS = 3;
/** The first points of medium, high and critical. */
const FLOORS = [35, 60, 85] as const;
/** Rounded points decide which side of a floor a share is on; this keeps clear of the half. */
const BESIDE_HALF = 0.01;

export type SettledShare = {
  readonly share: number;
  /** Nights in a row that asked to cross a floor, 0 to 3. */
  readonly asked: number;
};

/**
 * The share in force after one more night. Less than two points of difference change nothing; a larger one moves the points by
 * three at most; a floor is crossed only when three nights in a row ask for it, and until then the points stop beside it. A
 * cell that is learned for the first time takes effect at once.
 */
export function settleShare(inForce: number | null, asked: number, target: number): SettledShare {
  if (inForce === null) return { share: sixDigits(target), asked: 0 };
  const from = pointsOfShare(inForce);
  const wanted = pointsOfShare(target) - from;
  if (Math.abs(wanted) < STILL_POINTS) return { share: inForce, asked: 0 };
  const to = from + Math.max(-STEP_POINTS, Math.min(STEP_POINTS, wanted));
  const floor = FLOORS.find((each) => isBelow(from, each) !== isBelow(to, each));
  if (floor === undefined) return { share: sixDigits(shareOfPoints(to)), asked: 0 };
  const nights = Math.min(CROSSING_NIGHTS, asked + 1);
  const points = nights === CROSSING_NIGHTS ? to : beside(floor, from);
  return { share: sixDigits(shareOfPoints(points)), asked: nights };
}

const isBelow = (points: number, floor: number): boolean => Math.round(points) < floor;

/** The last points on the side of the floor from which they come. */
const beside = (floor: number, from: number): number =>
  isBelow(from, floor)
    ? Math.max(from, floor - 0.5 - BESIDE_HALF)
    : Math.min(from, floor - 0.5 + BESIDE_HALF);
