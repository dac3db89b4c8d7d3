import { type Case, type ContextFacts, isTenantSuffix, type ListingFacts, type Subject } from './facts.ts';
import { MODEL } from './model.ts';
import { isSharedParent } from './shared-parent.ts';

/** The part of an accusation that applies to the subject, by its relation to the listed value (scoring 4). */
export function matchFactorOf(listing: ListingFacts, of: Case): number {
  const { subject, context } = of;
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
      return of.weights === null ? MODEL.fromParent : fromParent(listing, of);
    case 'page':
      return isPlatform(context) ? 0 : MODEL.fromUrl;
    case 'child':
      return isPlatform(context) ? 0 : MODEL.fromChild;
  }
}

const FROM_PARENT = { same: MODEL.names.fromSame, platform: 0, parent: MODEL.fromParent } as const;
const fromParent = (listing: ListingFacts, of: Case): number => FROM_PARENT[parentKindOf(listing, of)];

/** What a listed parent is to the name: the same name without `www.`, a platform, which passes nothing on, or a parent. */
export function parentKindOf(
  { matched }: Pick<ListingFacts, 'matched'>,
  { subject, context }: Pick<Case, 'subject' | 'context'>,
): keyof typeof FROM_PARENT {
  if (isSharedParent(matched, context)) return 'platform';
  return subject.value === `www.${matched}` ? 'same' : 'parent';
}

/**
 * True for a platform, which is not accused of what strangers publish on it. A tenant's own name is not a platform: 42
 * % of phishing hosts are such names, and most of them are listed by a page (scoring finding 4).
 */
export const isPlatform = ({ guards }: ContextFacts): boolean =>
  guards.some(({ guard }) => guard === 'platform');

/** The subject is a platform itself, by its suffix or by a list of platforms (scoring 5). */
export const isPlatformRoot = (of: Pick<Case, 'subject' | 'context'>): boolean =>
  of.subject.kind === 'domain' &&
  (isTenantSuffix(of) ||
    of.context.guards.some(({ guard, scope }) => guard === 'platform' && scope === 'itself'));

const isServiceRange = ({ guards }: ContextFacts): boolean =>
  guards.some(({ guard, scope }) => guard === 'service' && scope === 'itself');

function rangeFactor(bits: number, { ipVersion }: Subject): number {
  const { unitBits, bitsPerHalf, min } = ipVersion === 6 ? MODEL.range6 : MODEL.range4;
  return Math.min(1, Math.max(min, 2 ** (-(unitBits - bits) / bitsPerHalf)));
}
