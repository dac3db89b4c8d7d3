import type { Engines } from '../engines.ts';
import { type Case, isActive, isScannerFor, isThreat, type ListingFacts, namesItself } from '../facts.ts';
import { MODEL } from '../model.ts';
import { opinionOf } from '../opinion-of.ts';
import { weighOpinion } from '../weigh-opinion.ts';

/** Divides the scanners of a case; each appears once, as detecting if any of its listings detects. */
export function enginesOf(of: Case): Engines {
  const heard = of.listings.filter(
    (listing) =>
      isThreat(listing) &&
      isScannerFor(listing.source, of.subject.kind) &&
      (isActive(listing) || listing.isDelisted === true),
  );
  const detecting = oneForEach(heard.filter((listing) => detects(listing, of)));
  const ids = new Set(detecting.map(({ source }) => source.id));
  return { detecting, suspecting: oneForEach(heard.filter(({ source }) => !ids.has(source.id))) };
}

const oneForEach = (listings: readonly ListingFacts[]): readonly ListingFacts[] =>
  listings.filter(({ source }, index) => listings.findIndex((one) => one.source.id === source.id) === index);

const detects = (listing: ListingFacts, of: Case): boolean =>
  isActive(listing) &&
  namesItself(listing, of.subject) &&
  weighOpinion(opinionOf(listing, of)).decay >= MODEL.detectionDecayMin;
