const DAY_MS = 86_400_000;
/** Claims older than this show nothing about today (decisions O65). */
const OLD_AFTER_MS = 14 * DAY_MS;
/** A figure by sector or country needs that field in at least one of this many claims: 20 % (decisions O65). */
const KNOWN_OF = 5;

/** The number of claims of a period, and how many of them have a field, such as the sector. */
export type Known = { readonly claims: number; readonly known: number };

/** The claims that a figure of the last 30 days is made of, and those that it is compared with. */
export type ClaimWindows = {
  /** The date of the newest claim; null without claims. */
  readonly newestMs: number | null;
  readonly last30d: Known;
  readonly prev30d: Known;
};

export const isOld = (newestMs: number | null, atMs: number): boolean =>
  newestMs === null || atMs - newestMs > OLD_AFTER_MS;

export const isSparse = ({ claims, known }: Known): boolean => known * KNOWN_OF < claims;

/** Why nothing is concluded: the claims are too old, or too few of them have the field. Null: they suffice. */
export type Doubt = 'old' | 'sparse';

export function doubtOf({ newestMs, last30d }: ClaimWindows, atMs: number): Doubt | null {
  if (isOld(newestMs, atMs)) return 'old';
  return isSparse(last30d) ? 'sparse' : null;
}

/** Whether the 30 days before can be compared with the last 30: they have claims, and enough of them have the field. */
export const isComparable = ({ prev30d }: ClaimWindows): boolean => prev30d.claims > 0 && !isSparse(prev30d);
