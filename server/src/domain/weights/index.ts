export { AGE_GROUPS, type AgeGroup, ageGroupOf, nextGroupAtS } from './age-group.ts';
export { textOfTable } from './canonical-table.ts';
export type { EntryCount } from './gone-entries.ts';
export { type Learned, learnTable } from './learn-table.ts';
export {
  type Cell,
  type LearnedTable,
  LIST_CLASSES,
  type ListClass,
  type ListRecord,
  type PlatformSize,
  type ReferenceFacts,
} from './learned-table.ts';
export type { GroupCount, Learning, SourceCount } from './learning.ts';
export type { Turnover } from './list-class.ts';
export { pointsOfShare, shareOfPoints } from './share-points.ts';
export { oneInOf, sentenceOfShare } from './share-words.ts';
export { SHIPPED_BOOK, SHIPPED_TABLE } from './shipped-table.ts';
export {
  type ClassChange,
  classChanges,
  isEqualInForce,
  type ListMoves,
  largeClassChanges,
  largeMoves,
  withClassesOf,
} from './version-changes.ts';
export {
  PRIOR_ENTRIES,
  priorShareOf,
  type RatedShare,
  type RatedSource,
  restOf,
  type WeightBook,
  weightBookOf,
} from './weight-book.ts';
