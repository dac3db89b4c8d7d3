import type { Listing } from '#capabilities/corpus/index.ts';

/** Lower is closer: current listings first, delisted ones after them, listings of sites, pages and children last. */
const CLOSENESS: Readonly<Record<Listing['matchType'], number>> = {
  exact: 0,
  alias: 1,
  cidr: 2,
  parent: 3,
  site: 8,
  page: 9,
  child: 10,
};
const DELISTED = 4;

/** The closest listing of each source, in the order of source numbers, so that each source counts once. */
export function closestListings(listings: readonly Listing[]): readonly Listing[] {
  if (listings.length < 2) return listings;
  const sorted = [...listings].sort((a, b) => a.source.number - b.source.number || compareCloseness(a, b));
  return sorted.filter((listing, index) => listing.source !== sorted[index - 1]?.source);
}

function compareCloseness(a: Listing, b: Listing): number {
  const order = closenessOf(a) - closenessOf(b);
  if (order !== 0) return order;
  // The length of the text says nothing about the width: 10.100.0.0/16 is longer than 10.1.1.0/24, but wider.
  if (a.matchType === 'cidr') return (b.prefixBits ?? 0) - (a.prefixBits ?? 0);
  return b.matched.length - a.matched.length || b.lastSeenS - a.lastSeenS;
}

const closenessOf = ({ matchType, isDelisted }: Listing): number =>
  CLOSENESS[matchType] + (isDelisted === true ? DELISTED : 0);
