/** The lowest share with the most points, and the shares at which the levels low, medium, high and critical begin. */
const RUNGS = [
  { share: 0.01, points: 10 },
  { share: 0.001, points: 35 },
  { share: 0.0005, points: 60 },
  { share: 0.00005, points: 85 },
] as const;
const [LOW, , , CRITICAL] = RUNGS;

/**
 * What one listing of a name is worth alone, when people visit this share of its source's entries: at most 1 in 100 is
 * `low`, 1 in 1,000 `medium`, 1 in 2,000 `high`, 1 in 20,000 `critical`; linear in the logarithm in between (scoring 2).
 */
export function pointsOfShare(share: number): number {
  if (share >= LOW.share) return (LOW.points * LOW.share) / share;
  if (share < CRITICAL.share) return CRITICAL.points;
  const at = RUNGS.findIndex((rung) => share >= rung.share);
  const [above, below] = [RUNGS[at - 1] as Rung, RUNGS[at] as Rung];
  const way = Math.log(above.share / share) / Math.log(above.share / below.share);
  return above.points + way * (below.points - above.points);
}
type Rung = { readonly share: number; readonly points: number };

/** The share that is worth these points: the inverse of `pointsOfShare`, between 0 and 85 points. */
export function shareOfPoints(points: number): number {
  if (points <= LOW.points) return (LOW.points * LOW.share) / Math.max(points, Number.MIN_VALUE);
  if (points >= CRITICAL.points) return CRITICAL.share;
  const at = RUNGS.findIndex((rung) => points < rung.points);
  const [above, below] = [RUNGS[at - 1] as Rung, RUNGS[at] as Rung];
  const way = (points - above.points) / (below.points - above.points);
  return above.share * (below.share / above.share) ** way;
}
