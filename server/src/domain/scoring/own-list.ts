import { type ListingFacts, SECONDS_PER_HOUR, type SourceFacts } from './facts.ts';

/**
 * A list that an operator imported (O81). Its publisher is the operator, who checks it again by importing it again, so it
 * does not age: it counts fully until it is imported again, is removed, or its period is over.
 */
export const isOwnList = ({ ownList }: Pick<SourceFacts, 'ownList'>): boolean => ownList === true;

const SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR;

type Period = Pick<SourceFacts, 'ownList' | 'expiresDays' | 'lastFetchAtS'>;

/** When the period of an own list is over, in seconds; null: it does not expire. Each import starts the period again. */
export function expiresAtS({ ownList, expiresDays = 0, lastFetchAtS }: Period): number | null {
  if (ownList !== true || expiresDays === 0 || lastFetchAtS === 0) return null;
  return lastFetchAtS + expiresDays * SECONDS_PER_DAY;
}

/** Reports whether the period is over in this hour. An hour that has begun counts whole, as every age of the score does. */
export function isExpired(source: Period, nowH: number): boolean {
  const atS = expiresAtS(source);
  return atS !== null && nowH * SECONDS_PER_HOUR >= atS;
}

/** The listings as they count in this hour: those of an expired list left on the day it expired. */
export function listingsAt<T extends ListingFacts>(listings: readonly T[], nowH: number): readonly T[] {
  if (!listings.some(({ source, isExpired: isMarked }) => isMarked !== true && isExpired(source, nowH)))
    return listings;
  return listings.map((listing) =>
    isExpired(listing.source, nowH)
      ? {
          ...listing,
          isDelisted: true,
          isExpired: true,
          lastSeenS: Math.floor(expiresAtS(listing.source) ?? 0),
        }
      : listing,
  );
}
