import { accuses, type Dating, type Listing } from '#capabilities/corpus/index.ts';

/** When an entry came, and what says so. An undated one has the date of its source's data, which says nothing of it. */
export type FirstSeen = { readonly firstSeenS: number; readonly dating: Dating | null };

/** Of two dates of one value: a date of the entry before one of the data, then the earlier (O55). */
export function earlierOf(a: FirstSeen, b: FirstSeen): FirstSeen {
  if (isDated(a) !== isDated(b)) return isDated(a) ? a : b;
  return b.firstSeenS < a.firstSeenS ? b : a;
}

const isDated = ({ dating }: FirstSeen): boolean => dating === 'own' || dating === 'sighted';

/** The earliest among the threat lists that name the value itself now; null when none does. */
export const firstAccused = (listings: readonly Listing[]): FirstSeen | null =>
  listings
    .filter(
      ({ source, matchType, isDelisted }) => matchType === 'exact' && isDelisted !== true && accuses(source),
    )
    .map(({ firstSeenS, dating }): FirstSeen => ({ firstSeenS, dating }))
    .reduce<FirstSeen | null>((before, each) => (before === null ? each : earlierOf(before, each)), null);
