/** Foundation rule 9: while the shared counters are away each process hands out its share and no more. */

/** At least one call, so that small plans are not shut out: together at most max(limit, shares) a window. */
export const burstShare = (limit: number, shares: number): number =>
  limit <= 0 ? 0 : Math.max(1, Math.floor(limit / shares));

/** Of what was left when the counters were last seen; at least one unit while any is: over by shares - 1 at most. */
export const monthShare = (limit: number, used: number, shares: number): number =>
  used >= limit ? 0 : Math.max(1, Math.floor((limit - used) / shares));
