export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];
export const TRENDS = ['up', 'down', 'flat'] as const;
export type Trend = (typeof TRENDS)[number];

const MEDIUM_FROM = 25;
const HIGH_FROM = 50;
const CRITICAL_FROM = 75;
const VOLUME_WEIGHT = 40;
const CHANGE_WEIGHT = 20;
/** The change is measured against at least this many victims, because a change of few victims says little. */
const CHANGE_BASE_MIN = 5;

export type SectorRisk = {
  readonly score: number;
  readonly riskLevel: RiskLevel;
  /** Null where the 30 days before were not counted. */
  readonly trend: Trend | null;
};

/**
 * Risk of a sector from its victims in 30 days, and from the change against the 30 days before (O27). Where those were not
 * counted (null), the score is of the last 30 days alone.
 */
export function sectorRiskOf(victims30d: number, victimsPrev30d: number | null): SectorRisk {
  const before = victimsPrev30d ?? victims30d;
  const change = (victims30d - before) / Math.max(before, CHANGE_BASE_MIN);
  const raw = VOLUME_WEIGHT * Math.log10(1 + victims30d) + CHANGE_WEIGHT * Math.min(1, Math.max(-1, change));
  const score = Math.min(100, Math.max(0, Math.round(raw)));
  const trend = victimsPrev30d === null ? null : trendOf(victims30d - victimsPrev30d);
  return { score, riskLevel: levelOf(score), trend };
}

function levelOf(score: number): RiskLevel {
  if (score >= CRITICAL_FROM) return 'critical';
  if (score >= HIGH_FROM) return 'high';
  return score >= MEDIUM_FROM ? 'medium' : 'low';
}

const trendOf = (difference: number): Trend => {
  if (difference === 0) return 'flat';
  return difference > 0 ? 'up' : 'down';
};
