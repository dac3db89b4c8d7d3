import { isKnownPlatform } from './case-caps.ts';
import type { Case, ListingFacts } from './facts.ts';
import { isPlatformRoot, parentKindOf } from './match-factor.ts';
import { confidenceStepOf } from './opinion-of.ts';

type Named = Pick<Case, 'subject' | 'context' | 'weights'>;

/** What the judgement reads from the name itself, as one letter: it is a platform that people use, or another one. */
export const nameFactsOf = (of: Named): string => {
  if (!isPlatformRoot(of)) return '';
  return isKnownPlatform(of) ? 'k' : 'q';
};

/** What the judgement reads of a listing besides source, relation and dates: the kind of parent, the confidence. */
export function parentFactsOf(listing: ListingFacts, of: Named): string {
  const { matchType, confidence = -1 } = listing;
  const parent = matchType === 'parent' ? LETTERS[parentKindOf(listing, of)] : '';
  return confidence < 0 ? parent : `${parent}c${confidenceStepOf(confidence)}`;
}
const LETTERS = { same: 'w', platform: 'z', parent: '' } as const;
