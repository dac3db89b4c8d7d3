import { TENANT_PLATFORMS } from '../indicator/index.ts';
import type { GuardFactor } from './attenuation.ts';
import type { Said } from './echoes.ts';
import { type Case, isActive, isOfPage, type ListingFacts, namesItself } from './facts.ts';
import { isPlatformRoot } from './match-factor.ts';
import { MODEL } from './model.ts';
import { weightsOf } from './name-worth.ts';
import type { Opinion } from './opinion.ts';
import type { CountedListing } from './scored-case.ts';
import { natsOfPoints, weighNow } from './weigh-now.ts';

export type CapName =
  | 'service_uncorroborated'
  | 'named_service_limit'
  | 'popular_uncorroborated'
  | 'platform_root'
  | 'verified_scanner'
  | 'only_below'
  | 'undated'
  | 'test_file';
/** The most points that a case may have, and why. */
export type Cap = { readonly name: CapName; readonly max: number };

export type Scored = {
  readonly counted: readonly CountedListing[];
  readonly said: Said;
  readonly guards: readonly GuardFactor[];
  /** What each lineage says after context, in nats. */
  readonly lineages: ReadonlyMap<string, number>;
};

export function capsOf(of: Case, scored: Scored): readonly Cap[] {
  const { subject } = of;
  const { counted, said, guards } = scored;
  if (counted.length === 0) return [];
  const caps: Cap[] = [];
  const add = (name: CapName, max: number): void => {
    caps.push({ name, max });
  };
  if (counted.every(({ listing }) => listing.matchType === 'child'))
    add('only_below', MODEL.fromChildScoreMax);
  if (isUndatedOnly(said)) add('undated', MODEL.undatedScoreMax);
  if ([...said.keys()].some(({ category }) => category === 'test')) add('test_file', MODEL.testFileScoreMax);
  const own = guards.filter(({ scope }) => scope === 'itself');
  if (own.some(({ name }) => name === 'research_scanner'))
    add('verified_scanner', MODEL.verifiedScannerScoreMax);
  const popular = popularMax(of, scored);
  if (popular !== null) add('popular_uncorroborated', popular);
  const isNamed = own.some(({ name }) => name === 'named_service');
  if (isNamed && !isNamedByGradeA(said, subject)) add('named_service_limit', MODEL.namedServiceScoreMax);
  if ((isNamed || own.some(({ name }) => name === 'service_range')) && isOneOrigin(said, subject))
    add('service_uncorroborated', 0);
  if (isPlatformRoot(of) && !isNamedByGradeA(said, subject)) add('platform_root', platformMax(of));
  return caps;
}

/** Undated names have limits of their own (scoring 2), so this is about every other kind. */
const isUndatedOnly = (said: Said): boolean =>
  [...said.keys()].every((opinion) => (opinion.isUndated && opinion.name === undefined) || !weighs(opinion));

/** A platform that people use is judged below; of one that nobody knows, lists may say a little more. */
const platformMax = (of: Case): number =>
  isKnownPlatform(of) ? MODEL.platformRoot.knownScoreMax : MODEL.platformRoot.scoreMax;

/** A platform of our own table, or one with names below it that people visit. */
export const isKnownPlatform = (of: Pick<Case, 'subject' | 'weights'>): boolean =>
  TENANT_PLATFORMS.has(of.subject.value) || weightsOf(of).sizeOf(of.subject.value) > 0;

/** The limit of a popular site without a source of grade A (ruling 3); null: none. */
function popularMax({ subject }: Case, { counted, guards, lineages }: Scored): number | null {
  if (counted.some(({ listing }) => isOfPage(listing, subject))) return null;
  if (!counted.every(({ listing }) => isPopular(listing, guards))) return null;
  // Only listings of the host itself corroborate; a page or a name below it is a neighbour.
  const ofItself = counted.filter(({ listing }) => isActive(listing));
  if (ofItself.some(({ opinion }) => opinion.isGradeA)) return null;
  const { scoreMax, secondLineageMin, secondScoreMax } = MODEL.popularUncorroborated;
  const said = new Set(ofItself.map(({ opinion }) => opinion.lineage));
  const strong = [...lineages].filter(
    ([lineage, nats]) => said.has(lineage) && nats >= natsOfPoints(secondLineageMin) - ROUNDING,
  );
  // Two lineages of that strength: the second one is then strong enough by itself.
  return strong.length >= 2 ? secondScoreMax : scoreMax;
}
const ROUNDING = 1e-9;

export const isNamedByGradeA = (said: Said, subject: Case['subject']): boolean =>
  [...said].some(
    ([opinion, listing]) =>
      opinion.isGradeA && isActive(listing) && weighs(opinion) && namesItself(listing, subject),
  );

/**
 * True when the accusations come from one lineage at most. All opinions are asked, not only the counted ones: an
 * aggregate that outweighs two lineages must not take the accusation away.
 */
function isOneOrigin(said: Said, subject: Case['subject']): boolean {
  const accusing = [...said].filter(([opinion, listing]) => isActive(listing) && weighs(opinion));
  if (accusing.some(([opinion, listing]) => opinion.isGradeA || isOfPage(listing, subject))) return false;
  const origins = accusing.flatMap(([opinion]) => (opinion.isAggregate ? [] : [opinion.lineage]));
  return new Set(origins).size <= 1;
}

export const weighs = (opinion: Opinion): boolean => weighNow(opinion).nats > 0;

/** The accused value, or the parent that the accusation is inherited from, is among the first 100,000 sites. */
const isPopular = (listing: ListingFacts, guards: readonly GuardFactor[]): boolean =>
  guards.some(
    (guard) =>
      guard.name === 'popular' &&
      (guard.rankBucket ?? Number.POSITIVE_INFINITY) <= MODEL.popularUncorroborated.rankMax &&
      meets(guard, listing, false),
  );

/** A guard of a URL's host weakens no listing of the page; one of a parent weakens only what that parent passes on. */
export function meets({ scope, matched }: GuardFactor, listing: ListingFacts, ofPage: boolean): boolean {
  if (scope === 'parent') return listing.matchType === 'parent' && listing.matched === matched;
  return scope === 'itself' || !ofPage;
}
