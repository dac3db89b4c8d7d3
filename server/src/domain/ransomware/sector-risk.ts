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

export type SectorRisk = { readonly score: number; readonly riskLevel: RiskLevel; readonly trend: Trend };

/** Risk of a sector from its victims in 30 days, and from the change against the 30 days before (O27). */
export function sectorRiskOf(victims30d: number, victimsPrev30d: number): SectorRisk {
  const change = (victims30d - victimsPrev30d) / Math.max(victimsPrev30d, CHANGE_BASE_MIN);
  const raw = VOLUME_WEIGHT * Math.log10(1 + victims30d) + CHANGE_WEIGHT * Math.min(1, Math.max(-1, change));
  const score = Math.min(100, Math.max(0, Math.round(raw)));
  return { score, riskLevel: levelOf(score), trend: trendOf(victims30d - victimsPrev30d) };
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
