import type { GuardFactor } from './attenuation.ts';
import { agesByEntry } from './entry-age.ts';
import {
  type Case,
  datesSightings,
  hourOf,
  isActive,
  isScannerFor,
  isThreat,
  type ListingFacts,
  namesItself,
} from './facts.ts';
import { MODEL } from './model.ts';
import { isOwnList } from './own-list.ts';
import { isVouchedFor } from './vouchers.ts';

const HOURS_PER_DAY = 24;

/**
 * Decides the field `malicious`, and with it the floors of the score (O60): a source that verifies each entry itself lists
 * the value now, no allowlist contains the value, and the value is not shared by many customers of a service.
 */
export const isVerifiedNow = (of: Case, guards: readonly GuardFactor[]): boolean =>
  of.listings.some((listing) => verifiesNow(listing, of)) && !isVouchedFor(of, guards) && !isShared(guards);

/** Reports whether this listing alone is such a verification, whatever else is known of the value. */
export const verifiesNow = (listing: ListingFacts, of: Case): boolean =>
  isThreat(listing) &&
  isActive(listing) &&
  namesItself(listing, of.subject) &&
  isScannerFor(listing.source, of.subject.kind) &&
  !listing.source.aggregate &&
  isConfident(listing) &&
  isConfirmedNow(listing, of);

const isConfident = ({ confidence = -1 }: ListingFacts): boolean =>
  confidence < 0 || confidence >= MODEL.verified.confidenceMin;

/** A file does not change, so a sample does not age. An own list counts in full while it is listed (O81). */
function isConfirmedNow(listing: ListingFacts, { subject, nowH }: Case): boolean {
  if (subject.kind === 'hash' || isOwnList(listing.source)) return true;
  const atS = confirmedAtS(listing);
  return atS !== null && nowH - hourOf(atS) <= MODEL.verified.daysMax * HOURS_PER_DAY;
}

/**
 * When the publisher last confirmed the entry: its own last sighting, else the date by which it ages: that of the list's data,
 * or in a file that keeps entries its own first day. Null: an entry without a date in such a file may be years old.
 */
function confirmedAtS(listing: ListingFacts): number | null {
  const { source, dating, firstSeenS, lastSeenS } = listing;
  if (datesSightings(listing)) return lastSeenS;
  if (!agesByEntry(source)) return source.dataAtS;
  return dating === 'undated' ? null : firstSeenS;
}

/** Blocking what many customers share would block all of them, so one tracker does not decide that. */
const isShared = (guards: readonly GuardFactor[]): boolean =>
  guards.some(({ name, scope }) => scope === 'itself' && SHARED.has(name));
const SHARED: ReadonlySet<GuardFactor['name']> = new Set(['service_range', 'named_service', 'shared_egress']);
