import { type GuardFactor, guardFactorsOf, strongest } from './attenuation.ts';
import { capsOf, meets, weighs } from './case-caps.ts';
import { scoreCategoryOf } from './categories.ts';
import { type Said, withOriginalAges } from './echoes.ts';
import { enginesOf } from './engines.ts';
import {
  type Case,
  isActive,
  isName,
  isOfPage,
  isTenantSuffix,
  isThreat,
  type ListingFacts,
  namesItself,
} from './facts.ts';
import { levelOf } from './levels.ts';
import { isPlatformRoot } from './match-factor.ts';
import { MODEL } from './model.ts';
import { scoreCaseByModel2 } from './model-2/score-case.ts';
import type { Opinion } from './opinion.ts';
import { opinionOf } from './opinion-of.ts';
import { type BaseScore, type Limits, NO_LIMITS, scoreOpinions } from './score-opinions.ts';
import type { Adjustment, ScoredCase } from './scored-case.ts';
import { signalSteps } from './signals.ts';
import { isVerifiedNow } from './verified-now.ts';
import { isVouchedFor } from './vouchers.ts';
import { weighNow } from './weigh-now.ts';

export type { Adjustment, CountedListing, ScoredCase } from './scored-case.ts';

/** All of scoring 5: accusations, attenuation by context, caps and boost, each as a part that adds up. */
export function scoreCase(of: Case): ScoredCase {
  if (of.weights === null) return scoreCaseByModel2(of);
  const guards = guardFactorsOf(of.context, of.subject);
  const said = withOriginalAges(opinionsOf(of));
  const opinions = [...said.keys()];
  const limits = limitsOf(of, said, guards);
  const guarded = scoreOpinions(opinions, limits);
  // Without guards, but of the same opinions: guards also decide whether aggregates or the other sources count.
  const plain = scoreOpinions(
    guarded.counted.map(({ opinion }) => opinion),
    { ...NO_LIMITS, isOfName: limits.isOfName },
  );
  const counted = plain.counted.map((weighed) => ({
    ...weighed,
    listing: said.get(weighed.opinion) as ListingFacts,
    points: plain.points.get(weighed.opinion.sourceId) ?? 0,
  }));
  const sum = addUp(plain.score);
  if (guards.length > 0) {
    const led = leadingGuard(of, { said, plain, guards });
    sum.adjust(led.name, guarded.score, led);
    if (hasServiceFloor(guards, opinions, limits.isOfName)) sum.raise('grade_a_floor', MODEL.gradeAScoreMin);
  }
  const caps = capsOf(of, { counted, said, guards, lineages: guarded.lineages });
  for (const { name, max } of caps) sum.adjust(name, Math.min(sum.score(), max));
  if (of.asn !== null && guards.length === 0)
    sum.adjust('asn_listed', boosted(sum.score()), null, of.asn.sourceId);
  const isVouched = isVouchedFor(of, guards);
  if (!isVouched && isReportedNow(of)) sum.raise('reported_now', MODEL.names.least);
  for (const { name, to } of signalSteps(of, guards, sum.score())) sum.adjust(name, to);
  if (!isVouched && isNamedBySerious(of)) sum.raise('named_itself', MODEL.namedScoreMin);
  const engines = enginesOf(of);
  const isMalicious = isVerifiedNow(of, guards);
  if (isMalicious) sum.raise('scanner_floor', MODEL.detectedScoreMin);
  if (isMalicious && guards.length === 0 && engines.detecting.some((one) => isCommandServer(one, of)))
    sum.raise('verified_c2', MODEL.verifiedC2ScoreMin);
  return {
    score: sum.score(),
    counted,
    adjustments: sum.adjustments,
    guards,
    evidence: plain.evidence,
    engines,
    isMalicious,
  };
}

type Adjust = (
  name: Adjustment['name'],
  to: number,
  guard?: GuardFactor | null,
  sourceId?: string | null,
) => void;

/** The score as it grows and shrinks, with each part that changed it. */
function addUp(first: number): {
  readonly score: () => number;
  readonly adjust: Adjust;
  readonly raise: (name: Adjustment['name'], least: number) => void;
  readonly adjustments: readonly Adjustment[];
} {
  const adjustments: Adjustment[] = [];
  let score = first;
  const adjust: Adjust = (name, to, guard = null, sourceId = guard?.sourceId ?? null) => {
    if (to === score) return;
    adjustments.push({ name, contribution: to - score, sourceId, guard });
    score = to;
  };
  return {
    score: () => score,
    adjust,
    raise: (name, least) => adjust(name, Math.max(score, least)),
    adjustments,
  };
}

/** The publisher verified a command server at this address within the week (scoring 5). */
const isCommandServer = ({ source }: ListingFacts, { subject }: Case): boolean =>
  subject.kind === 'ip' && scoreCategoryOf(source.category) === 'c2';

/** A list that takes entries back names exactly this name now; without the least it could be lost to rounding. */
const isReportedNow = (of: Case): boolean =>
  isName(of) &&
  mayBeNamed(of) &&
  !isPlatformRoot(of) &&
  of.listings.some(
    (listing) =>
      isThreat(listing) &&
      isActive(listing) &&
      namesItself(listing, of.subject) &&
      (opinionOf(listing, of).name?.least ?? 0) > 0,
  );

/** A platform is exempt, because an accusation of it would hit every tenant below it; so is a service range. */
const mayBeNamed = (of: Case): boolean =>
  !isTenantSuffix(of) &&
  !of.context.guards.some(({ guard, scope }) => guard === 'service' && scope === 'itself');

/** A source of grade A or B lists the value itself; the age of the entry does not matter here. */
const isNamedBySerious = (of: Case): boolean =>
  mayBeNamed(of) &&
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
  const bySource = new Map<string, { opinion: Opinion; listing: ListingFacts; nats: number }>();
  for (const listing of of.listings) {
    if (!isThreat(listing)) continue;
    const opinion = opinionOf(listing, of);
    const { nats } = weighNow(opinion);
    const known = bySource.get(opinion.sourceId);
    if (known === undefined || nats > known.nats) bySource.set(opinion.sourceId, { opinion, listing, nats });
  }
  const found = [...bySource.values()];
  const origins = new Set(
    found.flatMap(({ opinion, nats }) => (opinion.isAggregate || nats === 0 ? [] : [opinion.lineage])),
  );
  return new Map(found.map(({ opinion, listing }) => [unproven(opinion, origins), listing]));
}

/** One commit to a public list must not block a name at once: its entry has a limit until a second lineage names it. */
function unproven(opinion: Opinion, origins: ReadonlySet<string>): Opinion {
  const { name } = opinion;
  if (name?.isYoung !== true || origins.size > 1) return opinion;
  return { ...opinion, name: { ...name, cap: Math.min(name.cap, MODEL.names.caps.young) } };
}

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
function hasServiceFloor(
  guards: readonly GuardFactor[],
  opinions: readonly Opinion[],
  isOfName: boolean,
): boolean {
  return (
    guards.some(({ name, scope }) => SHARED.has(name) && scope !== 'parent') &&
    opinions.some((one) => one.isGradeA && !one.isDelisted && weighs(one)) &&
    scoreOpinions(opinions, { ...NO_LIMITS, isOfName }).score >= MODEL.gradeAScoreMin
  );
}

const SHARED: ReadonlySet<GuardFactor['name']> = new Set(['service_range', 'named_service']);

function limitsOf(of: Case, said: Said, guards: readonly GuardFactor[]): Limits {
  const { subject } = of;
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
    isOfName: isOfName(of),
  };
}

/** A domain, or a URL with a name as host: lists of names repeat each other (scoring 3). */
const isOfName = ({ subject }: Case): boolean =>
  subject.kind === 'domain' || (subject.kind === 'url' && subject.ipVersion === undefined);

/** A listed network adds points only to an accused subject, never to infrastructure with a guard (decisions 3.13). */
function boosted(score: number): number {
  if (score === 0) return 0;
  const { points, safeScoreMax } = MODEL.asnBoost;
  const most = levelOf(score) === 'safe' ? safeScoreMax : 100;
  return Math.min(most, score + points);
}
