export { scoreCategoryOf } from './categories.ts';
export { corpusFactsOf, isLoaded, speaksOf } from './corpus-facts.ts';
export {
  type AsnListing,
  type Case,
  type ContextFacts,
  type CorpusFacts,
  confidenceBaseOf,
  hourOf,
  isActive,
  isThreat,
  isThreatSource,
  type ListingFacts,
  type MatchType,
  type SourceFacts,
  type Subject,
  type SubjectKind,
} from './facts.ts';
export { riskLevelOf } from './findings.ts';
export { judgeCase } from './judge-case.ts';
export { isAccusing, LADDER, type Rung, rungOfLevel } from './ladder.ts';
export { levelOf, RISK_LEVELS, type RiskLevel } from './levels.ts';
export { MODEL, MODEL_VERSION } from './model.ts';
export { lineageOf } from './opinion-of.ts';
export { type ScoredCase, scoreCase } from './score-case.ts';
export type { Contradiction, Factor, Verdict } from './verdict.ts';
export { fadeDaysOf, halfLifeDaysOf } from './weigh-opinion.ts';
