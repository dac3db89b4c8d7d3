import { DELISTED_ELSEWHERE } from './contradictions.ts';
import type { Findings } from './findings.ts';
import type { Contradiction, RecommendedAction } from './verdict.ts';

export type Actions = { readonly evidence: RecommendedAction; readonly row: RecommendedAction };

/**
 * The actions of G10 with rulings 6 and 7. `allow` requires a voucher and no serious objection, because unknown is
 * never clean; a subject with a current, former or neighbouring listing is at least monitored (trap 16a).
 */
export function actionsOf(
  findings: Findings,
  contradictions: readonly Contradiction[],
  isMalicious: boolean,
): Actions {
  const { level, standing } = findings;
  // Inconclusive: the evidence asks a person to review, and a bulk row is `unverified`.
  if (level === 'inconclusive') return { evidence: 'review', row: 'unverified' };
  const action =
    standing === 'listed' || standing === 'trace'
      ? actionOfAccused(findings, contradictions, isMalicious)
      : actionOfOthers(findings);
  return { evidence: action, row: action };
}

function actionOfOthers({ standing, active }: Findings): RecommendedAction {
  switch (standing) {
    case 'reserved':
      return active.length > 0 ? 'monitor' : 'allow';
    case 'vouched':
      return 'allow';
    case 'tracker':
      return 'monitor';
    default:
      return 'unverified';
  }
}

function actionOfAccused(
  { level, isKnownGood }: Findings,
  contradictions: readonly Contradiction[],
  isMalicious: boolean,
): RecommendedAction {
  switch (level) {
    case 'critical':
    case 'high':
      return isKnownGood || contradictions.some(({ severity }) => severity === 'high') ? 'escalate' : 'block';
    case 'medium':
      return 'review';
    case 'low':
      // Entries leave lists all the time, so only a signal in favour of the subject asks for a review.
      return contradictions.some(({ type }) => type !== DELISTED_ELSEWHERE) ? 'review' : 'monitor';
    default:
      if (!isKnownGood) return 'monitor';
      return isMalicious ? 'review' : 'allow';
  }
}
