import { scoreCategoryOf } from './categories.ts';
import { type Case, hourOf, type ListingFacts, SECONDS_PER_HOUR } from './facts.ts';
import { matchFactorOf } from './match-factor.ts';
import { type ListedType, MODEL } from './model.ts';
import type { Opinion } from './opinion.ts';

export function opinionOf(listing: ListingFacts, of: Case): Opinion {
  const { source, isDelisted = false } = listing;
  return {
    sourceId: source.id,
    type: listedTypeOf(listing, of),
    category: scoreCategoryOf(source.category),
    fpRisk: source.fpRisk,
    reliability: source.reliability,
    lineage: lineageOf(source),
    isAggregate: source.aggregate,
    isGradeA: source.letter === 'A',
    ageDays: ageDaysOf(listing, of.nowH),
    isDelisted,
    matchFactor: matchFactorOf(listing, of.subject, of.context),
  };
}

/** The measured cluster, else the declared operator, else the source itself. */
export const lineageOf = ({ cluster, lineage, id }: ListingFacts['source']): string =>
  cluster ?? lineage ?? id;

export const ageHoursOf = ({ lastSeenS }: ListingFacts, nowH: number): number =>
  Math.max(0, nowH - hourOf(lastSeenS));

/** The age after the grace (ruling 1). A delisted entry ages from the hour it left, without grace. */
function ageDaysOf(listing: ListingFacts, nowH: number): number {
  const graceH =
    listing.isDelisted === true
      ? 0
      : Math.round((MODEL.graceIntervals * listing.source.intervalS) / SECONDS_PER_HOUR);
  return Math.max(0, ageHoursOf(listing, nowH) - graceH) / 24;
}

function listedTypeOf({ source, matchType, matched }: ListingFacts, { subject }: Case): ListedType {
  if (matchType === 'cidr') return source.cidrSemantics === 'owned' ? 'netblock' : 'ip';
  if (matchType === 'page') return 'url';
  if (matchType === 'site') return 'ip';
  if (matchType === 'parent' || matchType === 'child') return 'domain';
  if (subject.kind !== 'url' || matched === subject.value) return subject.kind;
  return subject.ipVersion === undefined ? 'domain' : 'ip';
}
