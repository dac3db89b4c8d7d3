import { scoreCategoryOf } from './categories.ts';
import { ageDaysOf, isUndated } from './entry-age.ts';
import type { Case, ListingFacts } from './facts.ts';
import { matchFactorOf } from './match-factor.ts';
import { type ListedType, MODEL } from './model.ts';
import { backOf, fadeAgeOf, nameWorthOf, ORGANIZATION, weightsOf } from './name-worth.ts';
import type { Opinion } from './opinion.ts';
import { isOwnList } from './own-list.ts';

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
    ...((isOwnList(source) || source.id === ORGANIZATION) && { isOwnWord: true }),
    ageDays: ageDaysOf(listing, type, of.nowH),
    isUndated: isUndated(listing, type),
    isEchoing: source.echoes[kindOf(type)] !== undefined,
    isDelisted,
    ...(listing.isExpired === true && { isExpired: true }),
    matchFactor: matchFactorOf(listing, of),
    ...(of.weights !== null && worthOf(listing, of, type)),
  };
}

type Worth = Partial<Pick<Opinion, 'name' | 'cap' | 'back' | 'certainty' | 'fadeDays' | 'isUndated'>>;

/** What model 3 adds: the worth of a name, what is left of an entry that left, and the publisher's own confidence. */
function worthOf(listing: ListingFacts, of: Case, type: ListedType): Worth {
  const { source, confidence = -1, isDelisted } = listing;
  const { base, rest } = MODEL.confidenceOfEntry;
  const certainty = confidence < 0 ? {} : { certainty: base + (rest * confidenceStepOf(confidence)) / 100 };
  const back = backOf(source.id, weightsOf(of));
  if (type !== 'domain') return { ...certainty, ...(isDelisted === true && !isOwnList(source) && { back }) };
  const name = nameWorthOf(listing, of);
  if (name === null) return { ...certainty, cap: capOfOwnList(source.letter) };
  const fades = name.decay === null && name.listClass !== 'keeps';
  return {
    ...certainty,
    name,
    ...(name.listClass === 'keeps' && listing.dating === 'undated' && { isUndated: true }),
    ...(name.decay === null && { fadeDays: fadeAgeOf(listing, name.listClass, of.nowH) }),
    ...(fades && isGone(listing, name.listClass) && { back }),
  };
}

const STEP = 5;
/** The publisher's confidence in steps of five, so that entries that differ by less share a judgement. */
export const confidenceStepOf = (confidence: number): number =>
  Math.floor(Math.min(100, confidence) / STEP) * STEP;

/** The entry left its list, or the list takes entries back and is stale. */
const isGone = ({ isDelisted }: ListingFacts, listClass: string): boolean =>
  isDelisted === true || listClass === 'removes';

const capOfOwnList = (letter: string): number =>
  letter === 'A' ? MODEL.names.caps.any : MODEL.names.caps.unproven;

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
