import { type AlertType, type Severity, severityOfReputation } from '../alerts/index.ts';
import type { RiskLevel } from '../scoring/index.ts';
import { statusOf } from './watch-status.ts';

/** How a watched value stood at a check. */
export type Stood = {
  readonly level: RiskLevel;
  readonly isMalicious: boolean;
  /** Equal for as long as no merge changes what lists it: another level is then a matter of age. */
  readonly listed: string;
};

export type ReputationChange = {
  readonly type: Extract<AlertType, `reputation.${string}`>;
  readonly severity: Severity;
  readonly isBetter: boolean;
};

/** From the best to the worst. What is unknown is worse than what is vouched for, and better than every doubt. */
const RANKS: Readonly<Record<RiskLevel, number>> = {
  safe: 0,
  inconclusive: 1,
  low: 2,
  medium: 3,
  high: 4,
  critical: 5,
};
const MALICIOUS_RANK = 6;

const rankOf = ({ level, isMalicious }: Stood): number => (isMalicious ? MALICIOUS_RANK : RANKS[level]);

/** Null: nothing to tell. The first check is a baseline, and mere ageing raises nothing. */
export function reputationChange(before: Stood | null, after: Stood): ReputationChange | null {
  if (before === null || before.listed === after.listed || rankOf(before) === rankOf(after)) return null;
  const isBetter = rankOf(after) < rankOf(before);
  const severity = severityOfReputation({ ...after, isBetter });
  const wasMalicious = statusOf(before.level, before.isMalicious) === 'malicious';
  const isMalicious = statusOf(after.level, after.isMalicious) === 'malicious';
  return {
    type: isMalicious && !wasMalicious ? 'reputation.malicious' : 'reputation.changed',
    severity,
    isBetter,
  };
}
