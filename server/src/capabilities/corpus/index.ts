export type { AccusedKeys, KeySpan } from './accused-between.ts';
export { addressUnitsOf } from './accused-within.ts';
export { assignClusters } from './assign-clusters.ts';
export {
  finishBulkLoad,
  inLoad,
  type LoadedReport,
  type LoadSummary,
} from './bulk-load.ts';
export { clearLoad, isCorpusEmpty, type LoadedSource, loadedSources } from './bulk-load-store.ts';
export { contextOf, type IndicatorContext, type RankBucket } from './context.ts';
export {
  accuses,
  CIDR_SEMANTICS,
  FP_RISKS,
  GUARDS,
  hasData,
  INFRASTRUCTURE_WORDS,
  LETTERS,
  LICENCE_MODES,
  mayBeShared,
  SEMANTICS,
  SIGNALS,
  SOURCE_FORMATS,
  type Source,
  SourceId,
  SourceSettings,
  THREAT_CLASSES,
} from './contract.ts';
export type { ListedRow, RowBatches } from './copy-rows.ts';
export { ALIASES, CORPUS, corpusDataset, LISTINGS, RELATED } from './dataset.ts';
export type { DescribedWithin } from './described-within.ts';
export { confirmFetch } from './fetch-time.ts';
export { type Fold, type FoldReason, takeFolds } from './fold-store.ts';
export {
  type FollowDeps,
  type FollowReport,
  followLog,
  type LogReader,
  type Written,
} from './follow-log.ts';
export {
  analyzeCorpus,
  type Change,
  claimFollower,
  type FollowerProgress,
  isFollowerCurrent,
  isFollowerFilled,
  readFollowerProgress,
  readLogPosition,
  releaseFollower,
} from './follower-store.ts';
export { createKeyWriter, KIND } from './indicator-key.ts';
export { indicatorOfKey, textOfKey } from './indicator-of-key.ts';
export { corpusWorkerPart } from './jobs.ts';
export { addressKeys } from './key-range.ts';
export { enqueueLineage, isLargeMerge, LINEAGE_JOB } from './lineage-due.ts';
export type { CorpusView, Listing, Registry } from './listing-reader.ts';
export { DATINGS, type Dating } from './listing-value.ts';
export {
  type Corpus,
  type CorpusAnswer,
  type CorpusReplica,
  openCorpus,
  type WalkableCorpus,
} from './lookup.ts';
export {
  absenceDelists,
  inMerge,
  type MergeContent,
  type MergeReport,
  mergeSnapshot,
  type NamedKeys,
  OutOfStep,
} from './merge-snapshot.ts';
export type { Neighbourhood } from './neighbourhood.ts';
export { type CorpusWriteDeps, registerSource } from './register-source.ts';
export { RENTABLE_TAG } from './rented-ranges.ts';
export { type ReplayDeps, replayCorpus } from './replay/replay.ts';
export { type PastSpan, replaySpan } from './replay/replay-span.ts';
export { findSource, listSources } from './store.ts';
export { type SweepDeps, sweepFading } from './sweep-fading.ts';
