import type { GuardFactor } from './attenuation.ts';
import { type Case, isActive, isOfPage, isThreat, type ListingFacts } from './facts.ts';
import { popularityVouches } from './popularity.ts';

/** A signal that contradicts an accusation (trap 16). */
export type Voucher = {
  readonly type:
    | 'named_service'
    | 'known_good'
    | 'popular'
    | 'service_range'
    | 'research_scanner'
    | 'allowlist';
  readonly strength: 'strong' | 'fair' | 'faint';
  /** It calls the subject itself good. A service range or a scanner guard only describes the subject. */
  readonly isGood: boolean;
  /** It applies to the value that is accused; a voucher for the host does not contest a listing of the page. */
  readonly isContested: boolean;
  readonly sourceName: string;
};

/** Rank 1,000,000 takes nothing from a critical accusation (scoring 5), so it does not contradict one either. */
const STRENGTH_OF_RANK = { 1000: 'strong', 10000: 'strong', 100000: 'fair', 1000000: 'faint' } as const;

/** A list vouches for the value itself, strongly enough to contradict an accusation. */
export const isVouchedFor = (of: Case, guards: readonly GuardFactor[]): boolean =>
  // An allowlist counts beside a guard too: a further guard must never take a voucher away.
  [...vouchersOf(of, guards), ...allowlists(of)].some(
    ({ strength, isGood }) => isGood && strength !== 'faint',
  );

export function vouchersOf(of: Case, guards: readonly GuardFactor[]): readonly Voucher[] {
  const ownGuards = guards.filter(({ scope }) => scope !== 'parent');
  const vouchers = ownGuards.flatMap((guard) => {
    const strength = strengthOf(guard, of);
    if (strength === null) return [];
    const { name, scope, sourceId } = guard;
    const isOfSubject = scope === 'itself' || of.subject.kind !== 'url';
    const source = of.listings.find((listing) => listing.source.id === sourceId)?.source;
    return [
      {
        type: name as Voucher['type'],
        strength,
        isGood: isOfSubject && callsGood(guard, of),
        isContested: of.listings.some((listing) => accuses(listing, isOfSubject, of)),
        sourceName: (name === 'named_service' ? of.context.service?.name : source?.name) ?? sourceId,
      },
    ];
  });
  return vouchers.length > 0 ? vouchers : allowlists(of);
}

/** A guard does not call a platform good: it is about the operator or counts visits to the tenants (O53). */
function callsGood({ name }: GuardFactor, { context }: Case): boolean {
  if (name === 'named_service') return true;
  if (context.isTenantSuffix) return false;
  return name === 'known_good' || (name === 'popular' && popularityVouches(context.popularKinds ?? []));
}

function strengthOf({ name }: GuardFactor, { context }: Case): Voucher['strength'] | null {
  switch (name) {
    case 'named_service':
    case 'known_good':
    case 'service_range':
      return 'strong';
    case 'popular':
      return context.rankBucket === null ? null : STRENGTH_OF_RANK[context.rankBucket];
    case 'research_scanner':
      return 'fair';
    default:
      return null;
  }
}

const accuses = (listing: ListingFacts, isOfSubject: boolean, { subject }: Case): boolean =>
  isThreat(listing) && isActive(listing) && (isOfSubject || !isOfPage(listing, subject));

/** An allowlist that is not a guard takes no points, but its exact listing is still reported. */
function allowlists(of: Case): readonly Voucher[] {
  const guarding = new Set(of.context.guards.map(({ sourceId }) => sourceId));
  const listing = of.listings.find(
    ({ source, matchType, isDelisted }) =>
      source.threatClass === 'allowlist' &&
      (matchType === 'exact' || matchType === 'alias') &&
      isDelisted !== true &&
      !guarding.has(source.id),
  );
  if (listing === undefined) return [];
  const isOfSubject = of.subject.kind !== 'url' || isOfPage(listing, of.subject);
  return [
    {
      type: 'allowlist',
      strength: 'fair',
      isGood: isOfSubject && !of.context.isTenantSuffix,
      isContested: of.listings.some((threat) => accuses(threat, isOfSubject, of)),
      sourceName: listing.source.name,
    },
  ];
}
