/** What a list of popular names counts. `mixed` is made of lists of several kinds, as Tranco is. */
const POPULARITY_KINDS = ['visits', 'links', 'queries', 'mixed'] as const;
export type PopularityKind = (typeof POPULARITY_KINDS)[number];

const KINDS_MIN = 2;

/**
 * Two kinds of lists have to agree before a rank vouches (O53), and one of them must count more than queries: every
 * beacon of a botnet is a query, so queries alone can be raised by malware.
 */
export const popularityVouches = (kinds: readonly PopularityKind[]): boolean =>
  kinds.length >= KINDS_MIN && kinds.some((kind) => kind !== 'queries');

const TAG = 'popularity:';

export const popularityTag = (kind: PopularityKind): string => TAG + kind;

/** All lists that do not say what they count are together one kind, `mixed`. */
export const popularityKindOf = (tags: readonly string[]): PopularityKind =>
  POPULARITY_KINDS.find((kind) => tags.includes(TAG + kind)) ?? 'mixed';
