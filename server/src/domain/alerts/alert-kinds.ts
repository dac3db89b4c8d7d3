import type { PriorityName } from '../cve-watch/index.ts';
import type { RiskLevel } from '../scoring/index.ts';

export const ALERT_TYPES = [
  'reputation.malicious',
  'reputation.changed',
  'ransomware.claim',
  'certificate.changed',
  'whois.changed',
  'location.changed',
  'infrastructure.changed',
  'lookalike.found',
  'cve.finding',
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** From the least to the most severe; an alert is stored with its place in this list. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** An alert may move from any status to any other. */
export const ALERT_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

const OF_LEVEL: Readonly<Record<RiskLevel, Severity>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  safe: 'info',
  inconclusive: 'info',
};

/** Follows the new level, but `critical` for what a scanner calls malicious and `info` for an improvement. */
export function severityOfReputation(now: {
  readonly level: RiskLevel;
  readonly isMalicious: boolean;
  readonly isBetter: boolean;
}): Severity {
  if (now.isBetter) return 'info';
  return now.isMalicious ? 'critical' : OF_LEVEL[now.level];
}

const OF_TYPE = {
  'ransomware.claim': 'high',
  'lookalike.found': 'high',
  'certificate.changed': 'medium',
  'whois.changed': 'medium',
  'location.changed': 'low',
  'infrastructure.changed': 'low',
} as const satisfies Partial<Record<AlertType, Severity>>;

export const severityOfType = (type: keyof typeof OF_TYPE): Severity => OF_TYPE[type];

const OF_PRIORITY: Readonly<Record<PriorityName, Severity>> = { P1: 'critical', P2: 'high', P3: 'medium' };
export const severityOfPriority = (priority: PriorityName): Severity => OF_PRIORITY[priority];
