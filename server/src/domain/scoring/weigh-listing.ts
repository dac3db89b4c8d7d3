import type { Case, ListingFacts } from './facts.ts';
import { isActive, isThreat } from './facts.ts';
import { MODEL } from './model.ts';
import { opinionOf } from './opinion-of.ts';
import { decayOf, reliabilityOf } from './weigh-opinion.ts';

const DECAY_MIN = 0.5;

/**
 * The weight of one listing by itself (O15): R x P x M while its decay is at least 0.5, for a file R x P at any age; 0
 * otherwise. It is never multiplied by its decay and never added to another one.
 */
export function weightOfListing(listing: ListingFacts, of: Case): number {
  if (!isThreat(listing) || !isActive(listing)) return 0;
  const opinion = opinionOf(listing, of);
  const weight = reliabilityOf(opinion) * MODEL.fpFactor[opinion.fpRisk];
  if (of.subject.kind === 'hash') return weight;
  return decayOf(opinion) >= DECAY_MIN ? weight * opinion.matchFactor : 0;
}
