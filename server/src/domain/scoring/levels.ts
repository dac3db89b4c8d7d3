import { MODEL } from './model.ts';

export const RISK_LEVELS = ['safe', 'low', 'medium', 'high', 'critical', 'inconclusive'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The levels of O4: 0-9 safe, 10-34 low, 35-59 medium, 60-84 high, 85-100 critical. */
export function levelOf(score: number): Exclude<RiskLevel, 'inconclusive'> {
  const { low, medium, high, critical } = MODEL.levels;
  if (score >= critical) return 'critical';
  if (score >= high) return 'high';
  if (score >= medium) return 'medium';
  return score >= low ? 'low' : 'safe';
}
