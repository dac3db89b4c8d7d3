import { hourOf, type ListingFacts, SECONDS_PER_HOUR, type SourceFacts } from './facts.ts';
import { type ListedType, MODEL } from './model.ts';
import { isOwnList } from './own-list.ts';

/** The types whose entries go stale by themselves; the others have one rule for every source. */
const GOES_STALE: ReadonlySet<ListedType> = new Set(['ip', 'domain', 'url']);
const HOURS_PER_DAY = 24;

/**
 * True for files that keep entries for months or years: an archive, or a list of that kind. Being in such a file today
 * says nothing of today, so each entry ages by its own date. Every other list is checked again by its publisher, and
 * what it still lists is asserted by its newest file. An own list does not age at all (O81).
 */
export const agesByEntry = ({ semantics, keepsEntries, ownList }: SourceFacts): boolean =>
  ownList !== true && (semantics === 'archive' || keepsEntries);

/** An entry of unknown age (O55). */
export const isUndated = ({ source, dating }: ListingFacts, type: ListedType): boolean =>
  dating === 'undated' && agesByEntry(source) && GOES_STALE.has(type);

/** The age in days from which a listing decays, after the grace (ruling 1). */
export function ageDaysOf(listing: ListingFacts, type: ListedType, nowH: number): number {
  if (isOwnList(listing.source) && listing.isDelisted !== true) return 0;
  const ofEntry = entryDateS(listing, type);
  if (ofEntry !== null) return Math.max(0, nowH - hourOf(ofEntry)) / HOURS_PER_DAY;
  if (listing.isDelisted !== true && isUndated(listing, type)) return 0;
  return Math.max(0, ageHoursOf(listing, nowH) - graceHoursOf(listing)) / HOURS_PER_DAY;
}

/** The date of the entry if it ages by its own date; null if it ages by the date of the list's data. */
function entryDateS(listing: ListingFacts, type: ListedType): number | null {
  const { source, dating, hasOwnLastSeen, isDelisted, firstSeenS, lastSeenS } = listing;
  if (dating === 'undated' || !agesByEntry(source) || !GOES_STALE.has(type)) return null;
  // The last date of an entry that left may be the day it left, which would make the entry young again.
  return dating === 'own' && hasOwnLastSeen === true && isDelisted !== true ? lastSeenS : firstSeenS;
}

export const ageHoursOf = ({ lastSeenS }: Pick<ListingFacts, 'lastSeenS'>, nowH: number): number =>
  Math.max(0, nowH - hourOf(lastSeenS));

/** A delisted entry ages from the hour it left, without grace. */
const graceHoursOf = ({ isDelisted, source }: ListingFacts): number =>
  isDelisted === true ? 0 : Math.round((MODEL.graceIntervals * source.intervalS) / SECONDS_PER_HOUR);
