import type { ContextFacts, ListingFacts, Subject } from './facts.ts';
import { MODEL } from './model.ts';
import { isSharedParent } from './shared-parent.ts';

/** The part of an accusation that applies to the subject, by its relation to the listed value (scoring 4). */
export function matchFactorOf(listing: ListingFacts, subject: Subject, context: ContextFacts): number {
  switch (listing.matchType) {
    case 'exact':
    case 'alias':
      return 1;
    case 'cidr':
      return listing.source.cidrSemantics === 'owned' ? 1 : rangeFactor(listing.prefixBits ?? 0, subject);
    case 'site':
      // Customers of one service share a /64, so an accused neighbour says nothing.
      return isServiceRange(context) ? 0 : MODEL.sameSite6;
    case 'parent':
      return isSharedParent(listing.matched, context) ? 0 : MODEL.fromParent;
    case 'page':
      return isPlatform(context) ? 0 : MODEL.fromUrl;
    case 'child':
      return isPlatform(context) ? 0 : MODEL.fromChild;
  }
}

/**
 * True for a platform, which is not accused of what strangers publish on it. A tenant's own name is not a platform: 42
 * % of phishing hosts are such names, and most of them are listed by a page (scoring finding 4).
 */
export const isPlatform = ({ guards }: ContextFacts): boolean =>
  guards.some(({ guard }) => guard === 'platform');

const isServiceRange = ({ guards }: ContextFacts): boolean =>
  guards.some(({ guard, scope }) => guard === 'service' && scope === 'itself');

function rangeFactor(bits: number, { ipVersion }: Subject): number {
  const { unitBits, bitsPerHalf, min } = ipVersion === 6 ? MODEL.range6 : MODEL.range4;
  return Math.min(1, Math.max(min, 2 ** (-(unitBits - bits) / bitsPerHalf)));
}
