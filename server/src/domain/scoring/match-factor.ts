import type { ContextFacts, ListingFacts, Subject } from './facts.ts';
import { MODEL } from './model.ts';

/** Section 4: how much of what is said about the listed thing is said about the subject. */
export function matchFactorOf(listing: ListingFacts, subject: Subject, context: ContextFacts): number {
  switch (listing.matchType) {
    case 'exact':
    case 'alias':
      return 1;
    case 'cidr':
      return listing.source.cidrSemantics === 'owned' ? 1 : rangeFactor(listing.prefixBits ?? 0, subject);
    case 'site':
      return MODEL.sameSite6;
    case 'parent':
      return MODEL.fromParent;
    case 'page':
      return isPlatform(context) ? 0 : MODEL.fromUrl;
    case 'child':
      return isPlatform(context) ? 0 : MODEL.fromChild;
  }
}

/**
 * What strangers do on a platform says nothing of the platform. A tenant's own name is no platform: 42 % of phishing hosts
 * are such names, and most of them are listed by a page (finding 4).
 */
export const isPlatform = ({ guards }: ContextFacts): boolean =>
  guards.some(({ guard }) => guard === 'platform');

/** Never more than the thing itself, whatever prefix a source writes down. */
function rangeFactor(bits: number, { ipVersion }: Subject): number {
  const { unitBits, bitsPerHalf, min } = ipVersion === 6 ? MODEL.range6 : MODEL.range4;
  return Math.min(1, Math.max(min, 2 ** (-(unitBits - bits) / bitsPerHalf)));
}
