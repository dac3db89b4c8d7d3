import type { Enrichment } from '#capabilities/enrichment/index.ts';
import type { Passwords } from '#capabilities/passwords/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { badRequest } from '#platform/errors.ts';
import { addPassword } from './add-password.ts';
import type { Assessment } from './assess.ts';
import { type Assessor, type AssessorDeps, createAssessor } from './assess-now.ts';
import { askable, askScanner, type ContextDeps, gatherContext, type LiveLevel } from './check-context.ts';
import type { CheckQuery, CheckResult, EnrichmentLevel, ReputationResult } from './contract.ts';
import { localLevel, presentCheck } from './present-check.ts';
import { scannerWordOf } from './scanner-word.ts';
import { type Streaming, streamCheck } from './stream-check.ts';

export type CheckDeps = AssessorDeps &
  ContextDeps & {
    readonly enrichment: Pick<Enrichment, 'book' | 'attack' | 'attackAt'>;
    readonly passwords: Pick<Passwords, 'find'>;
    /** One that bulk shares, so that verdicts are remembered once; made here when absent. */
    readonly assess?: Assessor;
    /** What was known at a past moment, gathered and judged; refuses a moment it cannot know. Absent: no replay. */
    readonly asOf?: (indicator: Indicator, atMs: number) => Promise<Assessment>;
  };

/** Whoever waits for the answer. Read only when somebody outside is asked: a signal costs as much as a lookup. */
type Waiting = { readonly signal: AbortSignal };

/** The use cases over one set of remembered verdicts. */
export type Check = {
  readonly check: (query: CheckQuery, waiting?: Waiting) => CheckResult | Promise<CheckResult>;
  readonly reputation: (
    indicator: Indicator,
    waiting?: Waiting,
  ) => ReputationResult | Promise<ReputationResult>;
  /** Judges at once, and throws what a check would; the phases are sent by the function it gives back. */
  readonly stream: (indicator: Indicator) => (streaming: Streaming) => Promise<void>;
};

export function createCheck(deps: CheckDeps): Check {
  const assessNow = deps.assess ?? createAssessor(deps);
  return {
    check: (query, waiting) => checkIndicator(deps, assessNow, query, waiting),
    reputation: (indicator, waiting) => reputationOf(deps, assessNow, indicator, waiting),
    stream: (indicator) => {
      const assessment = assessNow(indicator);
      return (streaming) => streamCheck(deps, assessNow, { indicator, assessment }, streaming);
    },
  };
}

/**
 * One check: gather, judge, present. From the replica alone it needs neither network nor a turn of the loop; the past is
 * read from PostgreSQL, and where somebody can be asked the answer waits for them as long as its level allows.
 */
function checkIndicator(
  deps: CheckDeps,
  assessNow: Assessor,
  { indicator, enrichment, asOfMs }: CheckQuery,
  waiting: Waiting | undefined,
): CheckResult | Promise<CheckResult> {
  const isLive = deps.live?.isOn === true && enrichment !== 'fast';
  const level = isLive ? enrichment : localLevel(enrichment);
  // Contract 2.1 rule 5: no target is not an error.
  if (indicator === null) return { malicious: false, apiVersion: 'v2', enrichmentLevel: level };
  if (asOfMs !== null) return checkThen(deps, indicator, localLevel(enrichment), asOfMs);
  if (isLive) return checkLive(deps, assessNow, indicator, level as LiveLevel, waiting);
  const result = presentCheck(assessNow(indicator), level, deps.enrichment.attack());
  addPassword(deps, indicator, result);
  return result;
}

/** Judged after everybody has answered: a scanner's word is evidence (G13), the rest is context and weighs nothing. */
async function checkLive(
  deps: CheckDeps,
  assessNow: Assessor,
  indicator: Indicator,
  level: LiveLevel,
  waiting: Waiting | undefined,
): Promise<CheckResult> {
  const beyond = await gatherContext(deps, assessNow, assessNow(indicator), level, waiting?.signal);
  const assessment = assessNow(indicator, undefined, scannerWordOf(beyond.live.scanner));
  const result = presentCheck(assessment, level, deps.enrichment.attack(), beyond);
  addPassword(deps, indicator, result);
  return result;
}

/** The scanner is asked here too, and nobody else: the counts are those of a check at standard. */
function reputationOf(
  deps: CheckDeps,
  assessNow: Assessor,
  indicator: Indicator,
  waiting: Waiting | undefined,
): ReputationResult | Promise<ReputationResult> {
  const assessment = assessNow(indicator);
  const asked = askable(deps, assessment);
  if (asked === null) return { reputation: assessment.verdict.reputation };
  return askScanner(deps, asked, assessment.subject, waiting?.signal).then((scanner) => ({
    reputation: assessNow(indicator, undefined, scannerWordOf(scanner)).verdict.reputation,
  }));
}

/** O2: the answer that would have been given then. Not even `fast` leaves anything out of the past. */
async function checkThen(
  { asOf, enrichment }: CheckDeps,
  indicator: Indicator,
  level: EnrichmentLevel,
  atMs: number,
): Promise<CheckResult> {
  if (asOf === undefined) throw badRequest('asOf: this service keeps no past to answer from.');
  const [then, attack] = await Promise.all([asOf(indicator, atMs), enrichment.attackAt(atMs)]);
  return presentCheck(then, level === 'fast' ? 'standard' : level, attack);
}
