import { type Case, isActive, isScannerFor, isThreat, type ListingFacts } from './facts.ts';
import { verifiesNow } from './verified-now.ts';

export type Engines = {
  /** Sources that verify each entry themselves and confirm the value itself now (O60). */
  readonly detecting: readonly ListingFacts[];
  /** Such sources that list only its host or a range around it, dropped it, are unsure of it, or confirmed it too long ago. */
  readonly suspecting: readonly ListingFacts[];
};

export const NO_ENGINES: Engines = { detecting: [], suspecting: [] };

/** Divides the scanners of a case; each appears once, as detecting if any of its listings detects. */
export function enginesOf(of: Case): Engines {
  const heard = of.listings.filter(
    (listing) =>
      isThreat(listing) &&
      isScannerFor(listing.source, of.subject.kind) &&
      (isActive(listing) || listing.isDelisted === true),
  );
  const detecting = oneForEach(heard.filter((listing) => verifiesNow(listing, of)));
  const ids = new Set(detecting.map(({ source }) => source.id));
  return { detecting, suspecting: oneForEach(heard.filter(({ source }) => !ids.has(source.id))) };
}

const oneForEach = (listings: readonly ListingFacts[]): readonly ListingFacts[] =>
  listings.filter(({ source }, index) => listings.findIndex((one) => one.source.id === source.id) === index);
