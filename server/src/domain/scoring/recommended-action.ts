import { DELISTED_ELSEWHERE } from './contradictions.ts';
import type { Findings } from './findings.ts';
import type { Contradiction, RecommendedAction } from './verdict.ts';

export type Actions = { readonly evidence: RecommendedAction; readonly row: RecommendedAction };

/**
 * G10, with rulings 6 and 7: unknown is never clean. `allow` is said only where somebody vouches and nobody objects with
 * weight; what a list names, named or touches is watched at least (trap 16a).
 */
export function actionsOf(
  findings: Findings,
  contradictions: readonly Contradiction[],
  isMalicious: boolean,
): Actions {
  const { level, standing } = findings;
  // The word for "nobody could tell": a person looks, a row says that nothing is verified.
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
      // That lists come and go is their nature; only a signal for the subject asks for a second look.
      return contradictions.some(({ type }) => type !== DELISTED_ELSEWHERE) ? 'review' : 'monitor';
    default:
      if (!isKnownGood) return 'monitor';
      return isMalicious ? 'review' : 'allow';
  }
}
