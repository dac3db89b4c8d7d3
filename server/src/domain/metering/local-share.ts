/** While the shared counters are unreachable, each process grants its own share only (foundation rule 9). */

/** At least one call, so that small plans are not shut out; together at most max(limit, shares) in one window. */
export const burstShare = (limit: number, shares: number): number =>
  limit <= 0 ? 0 : Math.max(1, Math.floor(limit / shares));

/** A share of the units last seen as left, at least one while any is left; together at most shares - 1 too many. */
export const monthShare = (limit: number, used: number, shares: number): number =>
  used >= limit ? 0 : Math.max(1, Math.floor((limit - used) / shares));
