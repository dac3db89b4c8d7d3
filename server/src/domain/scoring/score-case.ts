import { type GuardFactor, guardFactorsOf, strongest } from './attenuation.ts';
import { type Case, isActive, isOfPage, isThreat, type ListingFacts } from './facts.ts';
import { levelOf } from './levels.ts';
import { MODEL } from './model.ts';
import type { Opinion } from './opinion.ts';
import { opinionOf } from './opinion-of.ts';
import { type BaseScore, type Limits, scoreOpinions, type Weighed } from './score-opinions.ts';
import { weighOpinion } from './weigh-opinion.ts';

/** A part of the score that is not a source; its points may be negative. */
export type Adjustment = {
  readonly name:
    | GuardFactor['name']
    | 'grade_a_floor'
    | 'popular_uncorroborated'
    | 'only_below'
    | 'asn_listed';
  readonly contribution: number;
  readonly sourceId: string | null;
};

export type CountedListing = Weighed & { readonly listing: ListingFacts; readonly points: number };

export type ScoredCase = {
  /** The exact sum of the points of the sources and of the adjustments. */
  readonly score: number;
  readonly counted: readonly CountedListing[];
  readonly adjustments: readonly Adjustment[];
  readonly guards: readonly GuardFactor[];
  /** The sum of E over lineages, before context. */
  readonly evidence: number;
};

/** All of scoring 5: accusations, attenuation by context, caps and boost, each as a part that adds up. */
export function scoreCase(of: Case): ScoredCase {
  const guards = guardFactorsOf(of.context, of.subject);
  const said = opinionsOf(of);
  const opinions = [...said.keys()];
  const guarded = scoreOpinions(opinions, limitsOf(of, said, guards));
  // The opinions that counted under the guards, scored without them: aggregates or others, whichever was stronger.
  const plain = scoreOpinions(guarded.counted.map(({ opinion }) => opinion));
  const counted = plain.counted.map((weighed) => ({
    ...weighed,
    listing: said.get(weighed.opinion) as ListingFacts,
    points: plain.points.get(weighed.opinion.sourceId) ?? 0,
  }));
  const adjustments: Adjustment[] = [];
  let score = plain.score;
  const adjust: Adjust = (name, to, sourceId = null) => {
    if (to === score) return;
    adjustments.push({ name, contribution: to - score, sourceId });
    score = to;
  };
  if (guards.length > 0) {
    const led = leadingGuard(of, { said, plain, guards });
    adjust(led.name, guarded.score, led.sourceId);
    if (hasServiceFloor(guards, opinions)) adjust('grade_a_floor', Math.max(score, MODEL.gradeAScoreMin));
  }
  for (const name of capsOf(of, counted)) adjust(name, Math.min(score, capOf(name)));
  if (of.asn !== null && guards.length === 0) adjust('asn_listed', boosted(score), of.asn.sourceId);
  return { score, counted, adjustments, guards, evidence: plain.evidence };
}

type Said = ReadonlyMap<Opinion, ListingFacts>;

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

type Adjust = (name: Adjustment['name'], to: number, sourceId?: string | null) => void;

/** The guards appear as the difference to the score without them, under the context that takes away most. */
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
    guards.some(({ name }) => name === 'service_range') &&
    opinions.some((one) => one.isGradeA && !one.isDelisted && weighOpinion(one).evidence > 0) &&
    scoreOpinions(opinions).score >= MODEL.gradeAScoreMin
  );
}

function limitsOf({ subject }: Case, said: Said, guards: readonly GuardFactor[]): Limits {
  const ofItself = guards.filter(({ scope }) => scope === 'itself');
  // Guards of a URL's host do not apply to listings of the page.
  const pages = new Set(
    [...said].flatMap(([opinion, listing]) => (isOfPage(listing, subject) ? [opinion] : [])),
  );
  const isScanner = (pages.size > 0 ? ofItself : guards).some(({ name }) => name === 'research_scanner');
  return {
    attenuate: (opinion, tier) => strongest(pages.has(opinion) ? ofItself : guards, tier),
    nonCriticalMax: isScanner ? MODEL.scannerScoreMax : 100,
  };
}

type Cap = 'popular_uncorroborated' | 'only_below';
const capOf = (name: Cap): number =>
  name === 'only_below' ? MODEL.fromChildScoreMax : MODEL.popularUncorroborated.scoreMax;

function capsOf({ context, subject }: Case, counted: readonly CountedListing[]): readonly Cap[] {
  const caps: Cap[] = [];
  if (counted.length === 0) return caps;
  if (counted.every(({ listing }) => listing.matchType === 'child')) caps.push('only_below');
  const isPopular = context.rankBucket !== null && context.rankBucket <= MODEL.popularUncorroborated.rankMax;
  const ofPage = counted.some(({ listing }) => isOfPage(listing, subject));
  // Only listings of the host itself corroborate; a page or a name below it is a neighbour.
  const ofItself = counted.filter(({ listing }) => isActive(listing));
  if (isPopular && !ofPage && isUncorroborated(ofItself)) caps.push('popular_uncorroborated');
  return caps;
}

/** One lineage besides aggregates, and no source of grade A (ruling 3). */
function isUncorroborated(counted: readonly CountedListing[]): boolean {
  if (counted.some(({ opinion }) => opinion.isGradeA)) return false;
  return new Set(counted.map(({ opinion }) => opinion.lineage)).size <= 1;
}

/** Only for a subject accused itself, and never for shared infrastructure named by a guard (decisions 3.13). */
function boosted(score: number): number {
  if (score === 0) return 0;
  const { points, safeScoreMax } = MODEL.asnBoost;
  const most = levelOf(score) === 'safe' ? safeScoreMax : 100;
  return Math.min(most, score + points);
}
