import { scoreCategoryOf } from './categories.ts';
import { ageDaysOf, isUndated } from './entry-age.ts';
import type { Case, ListingFacts } from './facts.ts';
import { matchFactorOf } from './match-factor.ts';
import type { ListedType } from './model.ts';
import type { Opinion } from './opinion.ts';

export function opinionOf(listing: ListingFacts, of: Case): Opinion {
  const { source, isDelisted = false } = listing;
  const type = listedTypeOf(listing, of);
  return {
    sourceId: source.id,
    type,
    category: scoreCategoryOf(source.category),
    fpRisk: source.fpRisk,
    reliability: source.reliability,
    lineage: lineageOf(source, type),
    isAggregate: source.aggregate,
    isGradeA: source.letter === 'A',
    ageDays: ageDaysOf(listing, type, of.nowH),
    isUndated: isUndated(listing, type),
    isEchoing: source.echoes[kindOf(type)] !== undefined,
    isDelisted,
    ...(listing.isExpired === true && { isExpired: true }),
    matchFactor: matchFactorOf(listing, of.subject, of.context),
  };
}

/**
 * The lineage of a source: the one whose entries of this kind it repeats (`echoes`), else its measured cluster, its
 * declared operator, or the source itself. Without a kind, `echoes` does not count.
 */
export const lineageOf = (
  { echoes, cluster, lineage, id }: ListingFacts['source'],
  type: ListedType | null = null,
): string => (type === null ? undefined : echoes[kindOf(type)]) ?? cluster ?? lineage ?? id;

const kindOf = (type: ListedType): string => (type === 'netblock' ? 'ip' : type);

/** The kind of the listed value, which decides how fast it ages. */
export function listedTypeOf({ source, matchType, matched }: ListingFacts, { subject }: Case): ListedType {
  if (matchType === 'cidr') return source.cidrSemantics === 'owned' ? 'netblock' : 'ip';
  if (matchType === 'page') return 'url';
  if (matchType === 'site') return 'ip';
  if (matchType === 'parent' || matchType === 'child') return 'domain';
  if (subject.kind !== 'url' || matched === subject.value) return subject.kind;
  return subject.ipVersion === undefined ? 'domain' : 'ip';
}
