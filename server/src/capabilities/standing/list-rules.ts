import {
  type CaseStanding,
  isAccusing,
  isActive,
  isThreat,
  type ListingFacts,
  MODEL,
  namesItself,
  type SourceFacts,
  type Subject,
  scoreCategoryOf,
} from '#domain/scoring/index.ts';
import { kindOfList, LIST_NAMES, type ListName } from '#domain/shared-lists/index.ts';

type ListRule = {
  /** The list holds only entries of the level `critical`. */
  readonly isCritical?: true;
  /** Whether listings of a source are of the list's category; absent: any category. */
  readonly holds?: (source: Pick<SourceFacts, 'category' | 'tags'>) => boolean;
};

const ofCategory =
  (wanted: string) =>
  ({ category }: Pick<SourceFacts, 'category'>): boolean =>
    scoreCategoryOf(category) === wanted;
const isBotnet = (source: Pick<SourceFacts, 'category' | 'tags'>): boolean =>
  ofCategory('botnet')(source) || (ofCategory('c2')(source) && source.tags.includes('botnet'));

const RULES: Readonly<Record<ListName, ListRule>> = {
  'blocklist-ips-critical.txt': { isCritical: true },
  'blocklist-ips-all.txt': {},
  'blocklist-ips-c2.txt': { holds: ofCategory('c2') },
  'blocklist-ips-botnet.txt': { holds: isBotnet },
  'blocklist-domains-phishing.txt': { holds: ofCategory('phishing') },
  'blocklist-domains-malware.txt': { holds: ofCategory('malware') },
  'blocklist-domains-ransomware.txt': { holds: ofCategory('ransomware') },
  'blocklist-domains-all.txt': {},
};

/** The kind of subject that a list holds. */
export const subjectOfList = (list: ListName): 'ip' | 'domain' =>
  kindOfList(list) === 'addresses' ? 'ip' : 'domain';
export const bitOf = (list: ListName): number => 1 << LIST_NAMES.indexOf(list);

/** Reports whether listings of the source are of the list's category. */
export const holdsSource = (list: ListName, source: Pick<SourceFacts, 'category' | 'tags'>): boolean =>
  RULES[list].holds?.(source) ?? true;

/** The lowest score of an entry of the list. */
export const leastScoreOf = (list: ListName): number =>
  RULES[list].isCritical === true ? MODEL.levels.critical : MODEL.levels.medium;

export type Membership = {
  /** Bits of the shared lists that hold the subject. */
  readonly lists: number;
  /** Bits of the shared lists that would hold the subject if no guard took points away. */
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
    const { holds } = RULES[list];
    if (subjectOfList(list) !== subject.kind) continue;
    if (holds !== undefined && !counted.some(({ listing }) => holds(listing.source))) continue;
    const least = leastScoreOf(list);
    if (isExported && scored.score >= least) lists |= bitOf(list);
    else if (unguarded >= least) withheld |= bitOf(list);
  }
  return { lists, withheld };
}
