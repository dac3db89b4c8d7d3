export { AGE_GROUPS, type AgeGroup, ageGroupOf, nextGroupAtS } from './age-group.ts';
export type { Cell, LearnedTable, ListClass, ListRecord, PlatformSize } from './learned-table.ts';
export { pointsOfShare, shareOfPoints } from './share-points.ts';
export { SHIPPED_BOOK, SHIPPED_TABLE } from './shipped-table.ts';
export {
  PRIOR_ENTRIES,
  priorShareOf,
  type RatedShare,
  type RatedSource,
  restOf,
  type WeightBook,
  weightBookOf,
} from './weight-book.ts';
