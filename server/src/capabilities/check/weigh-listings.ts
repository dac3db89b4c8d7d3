import type { Listing, Source } from '#capabilities/corpus/index.ts';

/** A match on the thing itself says more than one on a range or a parent around it. */
const MATCH_ORDER: Readonly<Record<Listing['matchType'], number>> = {
  exact: 0,
  alias: 1,
  cidr: 2,
  parent: 3,
};

/** One listing per source, the closest: a source that lists both an address and its range has one opinion. */
export function closestPerSource(listings: readonly Listing[]): readonly Listing[] {
  if (listings.length < 2) return listings;
  const closest = new Map<number, Listing>();
  for (const listing of listings) {
    const known = closest.get(listing.source.number);
    if (known === undefined || isCloser(listing, known)) closest.set(listing.source.number, listing);
  }
  return closest.size === listings.length ? listings : [...closest.values()];
}

function isCloser(a: Listing, b: Listing): boolean {
  const order = MATCH_ORDER[a.matchType] - MATCH_ORDER[b.matchType];
  if (order !== 0) return order < 0;
  // Text says nothing about the width of a range: 10.100.0.0/16 is longer than 10.1.1.0/24 and wider.
  if (a.matchType === 'cidr') return (a.prefixBits ?? 0) > (b.prefixBits ?? 0);
  return a.matched.length > b.matched.length;
}

/** Contract 2.1 rule 2: only threat-class listings that are not ad or tracker lists are opinions. */
export const isThreatOpinion = (source: Source): boolean => source.threatClass === 'threat' && !source.adOnly;

/** G13: a scanner-type verdict, as opposed to a feed's listing. */
export const isScannerVerdict = (source: Source): boolean =>
  isThreatOpinion(source) && source.signal === 'scanner';
