export { scoreCategoryOf, tierOf } from './categories.ts';
export { chooseFamilies } from './choose-families.ts';
export { corpusFactsOf, isFresh, speaksOf } from './corpus-facts.ts';
export { agesByEntry } from './entry-age.ts';
export {
  type AsnListing,
  type Case,
  type ContextFacts,
  type CorpusFacts,
  confidenceBaseOf,
  type ExpectedSource,
  hourOf,
  isActive,
  isFormer,
  isThreat,
  isThreatSource,
  knownSinceS,
  type ListingFacts,
  type MatchType,
  namesItself,
  type SourceFacts,
  type Subject,
  type SubjectKind,
  sightedAtS,
} from './facts.ts';
export { judgeCase } from './judge-case.ts';
export {
  isAccusing,
  LADDER,
  type Report,
  type Rung,
  rungOfLevel,
  shortWordOf,
  WORD_EXCEPTIONS,
  wordOfCase,
} from './ladder.ts';
export { levelOf, RISK_LEVELS, type RiskLevel } from './levels.ts';
export { type ListedType, MODEL, MODEL_VERSION, MODEL_VERSION_BEFORE } from './model.ts';
export { nameFactsOf, parentFactsOf } from './name-facts.ts';
export { weightsOf } from './name-worth.ts';
export { lineageOf } from './opinion-of.ts';
export { expiresAtS, isExpired, isOwnList, listingsAt } from './own-list.ts';
export { type PopularityKind, popularityKindOf, popularityTag } from './popularity.ts';
export { type ScoredCase, scoreCase } from './score-case.ts';
export { isSharedParent } from './shared-parent.ts';
export { NO_SIGNALS, type SignalFacts } from './signal-facts.ts';
export { stalenessOf } from './source-freshness.ts';
export { type CaseStanding, standCase } from './stand-case.ts';
export {
  type Contradiction,
  type Factor,
  RECOMMENDED_ACTIONS,
  type RecommendedAction,
  type Verdict,
} from './verdict.ts';
export { weightOfListing } from './weigh-listing.ts';
export { fadeDaysOf, halfLifeOf } from './weigh-opinion.ts';
