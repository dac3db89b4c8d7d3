import { type GuardFactor, guardFactorsOf, strongest } from '../attenuation.ts';
import { type Said, withOriginalAges } from '../echoes.ts';
import {
  type Case,
  isActive,
  isOfPage,
  isTenantSuffix,
  isThreat,
  type ListingFacts,
  namesItself,
} from '../facts.ts';
import { levelOf } from '../levels.ts';
import { MODEL } from '../model.ts';
import type { Opinion } from '../opinion.ts';
import { opinionOf } from '../opinion-of.ts';
import type { Adjustment, CountedListing, ScoredCase } from '../scored-case.ts';
import { isVouchedFor } from '../vouchers.ts';
import { weighOpinion } from '../weigh-opinion.ts';
import { enginesOf } from './engines.ts';
import { type BaseScore, type Limits, scoreOpinions } from './score-opinions.ts';
import { signalSteps } from './signals.ts';

/** The judge of model 2, for answers about moments before this deployment had model 3 (`asOf`). It never changes again. */
export function scoreCaseByModel2(of: Case): ScoredCase {
  const guards = guardFactorsOf(of.context, of.subject);
  const said = withOriginalAges(opinionsOf(of));
  const opinions = [...said.keys()];
  const guarded = scoreOpinions(opinions, limitsOf(of, said, guards));
  // Without guards, but of the same opinions: guards also decide whether aggregates or the other sources count.
  const plain = scoreOpinions(guarded.counted.map(({ opinion }) => opinion));
  const counted = plain.counted.map((weighed) => ({
    ...weighed,
    listing: said.get(weighed.opinion) as ListingFacts,
    points: plain.points.get(weighed.opinion.sourceId) ?? 0,
  }));
  const adjustments: Adjustment[] = [];
  let score = plain.score;
  const adjust: Adjust = (name, to, guard = null, sourceId = guard?.sourceId ?? null) => {
    if (to === score) return;
    adjustments.push({ name, contribution: to - score, sourceId, guard });
    score = to;
  };
  if (guards.length > 0) {
    const led = leadingGuard(of, { said, plain, guards });
    adjust(led.name, guarded.score, led);
    if (hasServiceFloor(guards, opinions)) adjust('grade_a_floor', Math.max(score, MODEL.gradeAScoreMin));
  }
  for (const name of capsOf(of, { counted, said, guards })) adjust(name, Math.min(score, CAPS[name]));
  if (of.asn !== null && guards.length === 0) adjust('asn_listed', boosted(score), null, of.asn.sourceId);
  for (const { name, to } of signalSteps(of, guards, score)) adjust(name, to);
  const isVouched = isVouchedFor(of, guards);
  if (!isVouched && isNamedBySerious(of)) adjust('named_itself', Math.max(score, MODEL.namedScoreMin));
  const engines = enginesOf(of);
  const isMalicious = !isVouched && engines.detecting.length > 0;
  if (isMalicious) adjust('scanner_floor', Math.max(score, MODEL.detectedScoreMin));
  return { score, counted, adjustments, guards, evidence: plain.evidence, engines, isMalicious };
}

/** A source of grade A or B lists the value itself; the age of the entry does not matter here. */
const isNamedBySerious = (of: Case): boolean =>
  // A platform is exempt, because an accusation of it would hit every tenant below it.
  !isTenantSuffix(of) &&
  !of.context.guards.some(({ guard, scope }) => guard === 'service' && scope === 'itself') &&
  of.listings.some(
    (listing) =>
      isThreat(listing) &&
      isActive(listing) &&
      namesItself(listing, of.subject) &&
      !listing.source.aggregate &&
      SERIOUS.has(listing.source.letter),
  );
const SERIOUS: ReadonlySet<string> = new Set(MODEL.seriousLetters);

/** One opinion for each source, its strongest: an address and its range on one list are one accusation. */
function opinionsOf(of: Case): Said {
  const bySource = new Map<string, { opinion: Opinion; listing: ListingFacts; evidence: number }>();
  for (const listing of of.listings) {
    if (!isThreat(listing)) continue;
    const opinion = opinionOf(listing, of);
    const { evidence } = weighOpinion(opinion);
    const known = bySource.get(opinion.sourceId);
    if (known === undefined || evidence > known.evidence)
      bySource.set(opinion.sourceId, { opinion, listing, evidence });
  }
  return new Map([...bySource.values()].map(({ opinion, listing }) => [opinion, listing]));
}

type Adjust = (
  name: Adjustment['name'],
  to: number,
  guard?: GuardFactor | null,
  sourceId?: string | null,
) => void;

/** The guard that lowers the score most: all guards together are one adjustment, which is reported under its name. */
function leadingGuard(
  of: Case,
  {
    said,
    plain,
    guards,
  }: { readonly said: Said; readonly plain: BaseScore; readonly guards: readonly GuardFactor[] },
): GuardFactor {
  const opinions = plain.counted.map(({ opinion }) => opinion);
  const scored = guards.map((factor) => ({
    factor,
    score: scoreOpinions(opinions, limitsOf(of, said, [factor])).score,
  }));
  return scored.reduce((best, next) => (next.score < best.score ? next : best)).factor;
}

/**
 * True when a source of grade A accuses inside a service range: the score stays at `low` or above. All opinions are
 * checked and not only the counted ones: an aggregate with a slightly higher score must not remove the floor.
 */
function hasServiceFloor(guards: readonly GuardFactor[], opinions: readonly Opinion[]): boolean {
  return (
    guards.some(({ name, scope }) => SHARED.has(name) && scope !== 'parent') &&
    opinions.some((one) => one.isGradeA && !one.isDelisted && weighs(one)) &&
    scoreOpinions(opinions).score >= MODEL.gradeAScoreMin
  );
}

const SHARED: ReadonlySet<GuardFactor['name']> = new Set(['service_range', 'named_service']);

function limitsOf({ subject }: Case, said: Said, guards: readonly GuardFactor[]): Limits {
  const applying = new Map(
    [...said].map(([opinion, listing]) => [
      opinion,
      guards.filter((guard) => meets(guard, listing, isOfPage(listing, subject))),
    ]),
  );
  const hasPage = [...said.values()].some((listing) => isOfPage(listing, subject));
  const isScanner = guards.some(
    ({ name, scope }) =>
      name === 'research_scanner' && (scope === 'itself' || (scope === 'host' && !hasPage)),
  );
  return {
    attenuate: (opinion, tier) => strongest(applying.get(opinion) ?? [], tier),
    nonCriticalMax: isScanner ? MODEL.scannerScoreMax : 100,
  };
}

/** A guard of a URL's host weakens no listing of the page; one of a parent weakens only what that parent passes on. */
function meets({ scope, matched }: GuardFactor, listing: ListingFacts, ofPage: boolean): boolean {
  if (scope === 'parent') return listing.matchType === 'parent' && listing.matched === matched;
  return scope === 'itself' || !ofPage;
}

const CAPS = {
  service_uncorroborated: 0,
  named_service_limit: MODEL.namedServiceScoreMax,
  popular_uncorroborated: MODEL.popularUncorroborated.scoreMax,
  verified_scanner: MODEL.verifiedScannerScoreMax,
  only_below: MODEL.fromChildScoreMax,
  undated: MODEL.undatedScoreMax,
  test_file: MODEL.testFileScoreMax,
} as const;
type Cap = keyof typeof CAPS;

type Scored = {
  readonly counted: readonly CountedListing[];
  readonly said: Said;
  readonly guards: readonly GuardFactor[];
};

function capsOf({ subject }: Case, { counted, said, guards }: Scored): readonly Cap[] {
  if (counted.length === 0) return [];
  const caps: Cap[] = [];
  if (counted.every(({ listing }) => listing.matchType === 'child')) caps.push('only_below');
  if ([...said.keys()].every((opinion) => opinion.isUndated || !weighs(opinion))) caps.push('undated');
  if ([...said.keys()].some(({ category }) => category === 'test')) caps.push('test_file');
  const own = guards.filter(({ scope }) => scope === 'itself');
  if (own.some(({ name }) => name === 'research_scanner')) caps.push('verified_scanner');
  const ofPage = counted.some(({ listing }) => isOfPage(listing, subject));
  // Only listings of the host itself corroborate; a page or a name below it is a neighbour.
  const ofItself = counted.filter(({ listing }) => isActive(listing));
  if (!ofPage && isUncorroborated(ofItself) && counted.every(({ listing }) => isPopular(listing, guards)))
    caps.push('popular_uncorroborated');
  const isNamed = own.some(({ name }) => name === 'named_service');
  if (isNamed && !isNamedByGradeA(said, subject)) caps.push('named_service_limit');
  if ((isNamed || own.some(({ name }) => name === 'service_range')) && isOneOrigin(said, subject))
    caps.push('service_uncorroborated');
  return caps;
}

const isNamedByGradeA = (said: Said, subject: Case['subject']): boolean =>
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

const weighs = (opinion: Opinion): boolean => weighOpinion(opinion).evidence > 0;

/** The accused value, or the parent that the accusation is inherited from, is among the first 100,000 sites. */
const isPopular = (listing: ListingFacts, guards: readonly GuardFactor[]): boolean =>
  guards.some(
    (guard) =>
      guard.name === 'popular' &&
      (guard.rankBucket ?? Number.POSITIVE_INFINITY) <= MODEL.popularUncorroborated.rankMax &&
      meets(guard, listing, false),
  );

/** One lineage besides aggregates, and no source of grade A (ruling 3). */
function isUncorroborated(counted: readonly CountedListing[]): boolean {
  if (counted.some(({ opinion }) => opinion.isGradeA)) return false;
  return new Set(counted.map(({ opinion }) => opinion.lineage)).size <= 1;
}

/** A listed network adds points only to an accused subject, never to infrastructure with a guard (decisions 3.13). */
function boosted(score: number): number {
  if (score === 0) return 0;
  const { points, safeScoreMax } = MODEL.asnBoost;
  const most = levelOf(score) === 'safe' ? safeScoreMax : 100;
  return Math.min(most, score + points);
}
