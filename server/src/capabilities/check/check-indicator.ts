import type { Enrichment } from '#capabilities/enrichment/index.ts';
import type { Passwords } from '#capabilities/passwords/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { badRequest } from '#platform/errors.ts';
import type { Assessment } from './assess.ts';
import { type Assessor, type AssessorDeps, createAssessor } from './assess-now.ts';
import type { CheckQuery, CheckResult, ReputationResult } from './contract.ts';
import { type AppliedLevel, appliedLevel, presentCheck } from './present-check.ts';

export type CheckDeps = AssessorDeps & {
  readonly enrichment: Pick<Enrichment, 'book' | 'attack' | 'attackAt'>;
  readonly passwords: Pick<Passwords, 'find'>;
  /** One that bulk shares, so that verdicts are remembered once; made here when absent. */
  readonly assess?: Assessor;
  /** What was known at a past moment, gathered and judged; refuses a moment it cannot know. Absent: no replay. */
  readonly asOf?: (indicator: Indicator, atMs: number) => Promise<Assessment>;
};

/** The use cases over one set of remembered verdicts. */
export type Check = {
  readonly check: (query: CheckQuery) => CheckResult | Promise<CheckResult>;
  readonly reputation: (indicator: Indicator) => ReputationResult;
};

export function createCheck(deps: CheckDeps): Check {
  const assessNow = deps.assess ?? createAssessor(deps);
  return {
    check: (query) => checkIndicator(deps, assessNow, query),
    reputation: (indicator) => ({ reputation: assessNow(indicator).verdict.reputation }),
  };
}

/** One check: gather from the replica, judge, present. Needs no network; the past is read from PostgreSQL. */
function checkIndicator(
  deps: CheckDeps,
  assessNow: Assessor,
  { indicator, enrichment, asOfMs }: CheckQuery,
): CheckResult | Promise<CheckResult> {
  const level = appliedLevel(enrichment);
  // Contract 2.1 rule 5: no target is not an error.
  if (indicator === null) return { malicious: false, apiVersion: 'v2', enrichmentLevel: level };
  if (asOfMs !== null) return checkThen(deps, indicator, level, asOfMs);
  const result = presentCheck(assessNow(indicator), level, deps.enrichment.attack());
  addPassword(deps, indicator, result);
  return result;
}

/** O2: the answer that would have been given then. Not even `fast` leaves anything out of the past. */
async function checkThen(
  { asOf, enrichment }: CheckDeps,
  indicator: Indicator,
  level: AppliedLevel,
  atMs: number,
): Promise<CheckResult> {
  if (asOf === undefined) throw badRequest('asOf: this service keeps no past to answer from.');
  const [then, attack] = await Promise.all([asOf(indicator, atMs), enrichment.attackAt(atMs)]);
  return presentCheck(then, level === 'fast' ? 'standard' : level, attack);
}

/**
 * Traps 7 and 8, C18: found anew for each call and kept nowhere; says nothing about the file the value may also name.
 * Never of a past moment: what is breached is breached.
 */
function addPassword({ passwords }: CheckDeps, indicator: Indicator, result: CheckResult): void {
  if (indicator.kind !== 'hash' || indicator.algorithm === 'sha256') return;
  const found = passwords.find({ algorithm: indicator.algorithm, value: indicator.value });
  if (found !== null) result.pwnedPassword = found;
}
