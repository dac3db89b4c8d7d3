import { type Assessor, assessorFor, createAssessor, scannerWordOf } from '#capabilities/judging/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { badRequest } from '#platform/errors.ts';
import { addClaims } from './add-claims.ts';
import { addPassword } from './add-password.ts';
import { askable, askScanner, gatherContext, type LiveLevel } from './check-context.ts';
import type { CheckDeps } from './check-deps.ts';
import type { CheckQuery, CheckResult, EnrichmentLevel, ReputationResult } from './contract.ts';
import { presentCheck } from './present-check.ts';
import { presentReputation } from './present-reputation.ts';
import { type Streaming, streamCheck } from './stream-check.ts';

/**
 * The request that waits for the answer. `signal` is read only for live lookups, because creating one costs
 * as much as a local lookup.
 */
type Waiting = {
  readonly signal?: AbortSignal;
  /** The caller: indicators of this organization are read beside the lists. Absent: none are read. */
  readonly principal?: Asker;
};
export type Asker = { readonly organizationId: string | null };

export type Check = {
  readonly check: (query: CheckQuery, waiting?: Waiting) => CheckResult | Promise<CheckResult>;
  readonly reputation: (
    indicator: Indicator,
    waiting?: Waiting,
  ) => ReputationResult | Promise<ReputationResult>;
  /** Judges before anything is sent, so that it can still be refused; the returned function sends the phases. */
  readonly stream: (indicator: Indicator, asker?: Asker) => (streaming: Streaming) => Promise<void>;
};

export function createCheck(deps: CheckDeps): Check {
  const assessNow = deps.assess ?? createAssessor(deps);
  return {
    check: (query, waiting) =>
      checkIndicator(deps, assessorFor(assessNow, waiting?.principal?.organizationId), query, waiting),
    reputation: (indicator, waiting) =>
      reputationOf(deps, assessorFor(assessNow, waiting?.principal?.organizationId), indicator, waiting),
    stream: (indicator, asker) => {
      const assess = assessorFor(assessNow, asker?.organizationId);
      const assessment = assess(indicator);
      return (streaming) => streamCheck(deps, assess, { indicator, assessment }, streaming);
    },
  };
}

/**
 * One check: gather, judge, present. From the replica alone it is synchronous and needs no network; the past and what
 * `full` adds are read from PostgreSQL, and live lookups are awaited within the budget of the level.
 */
function checkIndicator(
  deps: CheckDeps,
  assessNow: Assessor,
  { indicator, enrichment, asOfMs }: CheckQuery,
  waiting: Waiting | undefined,
): CheckResult | Promise<CheckResult> {
  // A request without a target is no error (contract 2.1 rule 5).
  if (indicator === null) return { malicious: false, apiVersion: 'v2', enrichmentLevel: enrichment };
  if (asOfMs !== null) return checkThen(deps, indicator, enrichment, asOfMs, waiting);
  const isLive = deps.live?.isOn === true && enrichment !== 'fast';
  // The timeline and the related infrastructure of `full` come from local tables, with or without live lookups.
  if (isLive || enrichment === 'full')
    return checkWithContext(deps, assessNow, indicator, enrichment as LiveLevel, waiting);
  const result = presentCheck(assessNow(indicator), enrichment, deps.enrichment.attack());
  addClaims(deps, indicator, result);
  addPassword(deps, indicator, result);
  return result;
}

/** Judges when all lookups have ended: the answer of a scanner is evidence (G13), the others carry no weight. */
async function checkWithContext(
  deps: CheckDeps,
  assessNow: Assessor,
  indicator: Indicator,
  level: LiveLevel,
  waiting: Waiting | undefined,
): Promise<CheckResult> {
  const beyond = await gatherContext(deps, assessNow, assessNow(indicator), level, waiting?.signal);
  const assessment = assessNow(indicator, undefined, scannerWordOf(beyond.live.scanner));
  const result = presentCheck(assessment, level, deps.enrichment.attack(), beyond);
  addClaims(deps, indicator, result);
  addPassword(deps, indicator, result);
  return result;
}

/** The reputation alone. Waits for the scanner, so that its counts equal those of a check at standard. */
function reputationOf(
  deps: CheckDeps,
  assessNow: Assessor,
  indicator: Indicator,
  waiting: Waiting | undefined,
): ReputationResult | Promise<ReputationResult> {
  const assessment = assessNow(indicator);
  const asked = askable(deps, assessment);
  if (asked === null) return presentReputation(assessment);
  return askScanner(deps, asked, assessment.subject, waiting?.signal).then((scanner) =>
    presentReputation(assessNow(indicator, undefined, scannerWordOf(scanner))),
  );
}

/**
 * The answer as of a past moment (O2). No level, not even `fast`, leaves anything pending; what `full` adds is not kept
 * for the past, so it is answered at standard.
 */
async function checkThen(
  { asOf, enrichment }: CheckDeps,
  indicator: Indicator,
  level: EnrichmentLevel,
  atMs: number,
  waiting: Waiting | undefined,
): Promise<CheckResult> {
  if (asOf === undefined) throw badRequest('asOf: this service keeps no history.');
  const [then, attack] = await Promise.all([
    asOf(indicator, atMs, waiting?.principal?.organizationId ?? null),
    enrichment.attackAt(atMs),
  ]);
  return presentCheck(then, level === 'basic' ? 'basic' : 'standard', attack);
}
