import { type AlertType, type Severity, severityOfReputation } from '../alerts/index.ts';
import type { RiskLevel } from '../scoring/index.ts';
import { statusOf } from './watch-status.ts';

/** The state of a watched value at one check. */
export type Stood = {
  readonly level: RiskLevel;
  readonly isMalicious: boolean;
  /** Stays equal while no merge changes the listings of the value; a new level is then only a matter of age. */
  readonly listed: string;
};

export type ReputationChange = {
  readonly type: Extract<AlertType, `reputation.${string}`>;
  readonly severity: Severity;
  readonly isBetter: boolean;
};

/** From best to worst. Unknown ranks below vouched for and above every accusation. */
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

/** The change between two checks; null: nothing to tell. The first check is a baseline; ageing raises nothing. */
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
