/** While the shared counters are unreachable, each process grants its own share only (foundation rule 9). */

/** Calls a process may grant: at least one, so that small plans work; together at most max(limit, shares). */
export const burstShare = (limit: number, shares: number): number =>
  limit <= 0 ? 0 : Math.max(1, Math.floor(limit / shares));

/** Units that a process may grant: its share of the rest, at least one. Together at most shares - 1 too many. */
export const monthShare = (limit: number, used: number, shares: number): number =>
  used >= limit ? 0 : Math.max(1, Math.floor((limit - used) / shares));
