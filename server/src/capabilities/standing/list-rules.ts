import type { CaseStanding } from '#domain/scoring/index.ts';
import {
  isAccusing,
  isActive,
  isThreat,
  type ListingFacts,
  MODEL,
  namesItself,
  type Subject,
  scoreCategoryOf,
} from '#domain/scoring/index.ts';

/** The shared lists (contract 2.8). The place of a list is its bit in the stored masks, so the order is never changed. */
export const LIST_NAMES = [
  'blocklist-ips-critical.txt',
  'blocklist-ips-all.txt',
  'blocklist-ips-c2.txt',
  'blocklist-ips-botnet.txt',
  'blocklist-domains-phishing.txt',
  'blocklist-domains-malware.txt',
  'blocklist-domains-ransomware.txt',
  'blocklist-domains-all.txt',
] as const;
export type ListName = (typeof LIST_NAMES)[number];

type ListRule = {
  readonly kind: 'ip' | 'domain';
  /** Only critical entries. */
  readonly isCritical?: true;
  /** Whether a listing is of the list's category; absent: any category. */
  readonly holds?: (listing: ListingFacts) => boolean;
};

const ofCategory =
  (category: string) =>
  ({ source }: ListingFacts): boolean =>
    scoreCategoryOf(source.category) === category;
const isBotnet = (listing: ListingFacts): boolean =>
  ofCategory('botnet')(listing) || (ofCategory('c2')(listing) && listing.source.tags.includes('botnet'));

const RULES: Readonly<Record<ListName, ListRule>> = {
  'blocklist-ips-critical.txt': { kind: 'ip', isCritical: true },
  'blocklist-ips-all.txt': { kind: 'ip' },
  'blocklist-ips-c2.txt': { kind: 'ip', holds: ofCategory('c2') },
  'blocklist-ips-botnet.txt': { kind: 'ip', holds: isBotnet },
  'blocklist-domains-phishing.txt': { kind: 'domain', holds: ofCategory('phishing') },
  'blocklist-domains-malware.txt': { kind: 'domain', holds: ofCategory('malware') },
  'blocklist-domains-ransomware.txt': { kind: 'domain', holds: ofCategory('ransomware') },
  'blocklist-domains-all.txt': { kind: 'domain' },
};

export const kindOfList = (list: ListName): 'ip' | 'domain' => RULES[list].kind;
export const bitOf = (list: ListName): number => 1 << LIST_NAMES.indexOf(list);

export type Membership = {
  /** Bits of the lists that hold it. */
  readonly lists: number;
  /** Bits of the lists that would hold it if no guard took points away. */
  readonly withheld: number;
};

const NOWHERE: Membership = { lists: 0, withheld: 0 };

/**
 * An entry needs an active listing of its own, 35 points or more, and some of them from listings of the list's category.
 * `standing` is the judgement on the listings that the readers of the list may have.
 */
export function membershipOf(
  subject: Subject,
  listings: readonly ListingFacts[],
  standing: CaseStanding,
): Membership {
  const { scored, level } = standing;
  const isNamed = listings.some((each) => isThreat(each) && isActive(each) && namesItself(each, subject));
  if (!isNamed) return NOWHERE;
  const counted = scored.counted.filter(({ points, listing }) => points > 0 && isActive(listing));
  const unguarded = scored.counted.reduce((sum, { points }) => sum + points, 0);
  const isExported = isAccusing(level) && scored.score >= MODEL.levels.medium;
  let [lists, withheld] = [0, 0];
  for (const list of LIST_NAMES) {
    const { kind, isCritical, holds } = RULES[list];
    if (kind !== subject.kind) continue;
    if (holds !== undefined && !counted.some(({ listing }) => holds(listing))) continue;
    const least = isCritical === true ? MODEL.levels.critical : MODEL.levels.medium;
    if (isExported && scored.score >= least) lists |= bitOf(list);
    else if (unguarded >= least) withheld |= bitOf(list);
  }
  return { lists, withheld };
}
