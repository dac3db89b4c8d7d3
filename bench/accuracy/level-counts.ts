import type { RiskLevel } from '../../server/src/domain/scoring/index.ts';

export type LevelCounts = Record<RiskLevel, number>;

export const noLevels = (): LevelCounts => ({
  safe: 0,
  low: 0,
  medium: 0,
  high: 0,
  critical: 0,
  inconclusive: 0,
});

const ORDER: readonly RiskLevel[] = ['low', 'medium', 'high', 'critical'];

export const atLeast = (counts: LevelCounts, level: 'low' | 'medium' | 'high'): number =>
  ORDER.slice(ORDER.indexOf(level)).reduce((sum, each) => sum + counts[each], 0);

export const isAtLeast = (found: RiskLevel, level: 'low' | 'medium' | 'high'): boolean =>
  ORDER.indexOf(found) >= ORDER.indexOf(level);

export type PolicyCounts = { anyList: number; twoLists: number };
