import { accuses, type Dating, type Listing } from '#capabilities/corpus/index.ts';

/** When an entry was first seen, and what dates it. An undated entry only has the date of the data of its source. */
export type FirstSeen = { readonly firstSeenS: number; readonly dating: Dating | null };

/** Prefers a date of the entry itself to one of its source's data, then the earlier one (O55). */
export function earlierOf(a: FirstSeen, b: FirstSeen): FirstSeen {
  if (isDated(a) !== isDated(b)) return isDated(a) ? a : b;
  return b.firstSeenS < a.firstSeenS ? b : a;
}

const isDated = ({ dating }: FirstSeen): boolean => dating === 'own' || dating === 'sighted';

/** The first sighting by the threat lists that name the value itself now; null when none does. */
export const firstAccused = (listings: readonly Listing[]): FirstSeen | null =>
  listings
    .filter(
      ({ source, matchType, isDelisted }) => matchType === 'exact' && isDelisted !== true && accuses(source),
    )
    .map(({ firstSeenS, dating }): FirstSeen => ({ firstSeenS, dating }))
    .reduce<FirstSeen | null>((before, each) => (before === null ? each : earlierOf(before, each)), null);
