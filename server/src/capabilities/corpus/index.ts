export { assignClusters } from './assign-clusters.ts';
export {
  finishBulkLoad,
  type LoadedReport,
  type LoadSummary,
  loadSource,
  type SourceToLoad,
} from './bulk-load.ts';
export { clearLoad, isCorpusEmpty, type LoadedSource, loadedSources } from './bulk-load-store.ts';
export {
  CIDR_SEMANTICS,
  FP_RISKS,
  GUARDS,
  INFRASTRUCTURE_WORDS,
  LETTERS,
  LICENCE_MODES,
  SEMANTICS,
  SIGNALS,
  SOURCE_FORMATS,
  type Source,
  SourceId,
  SourceSettings,
  THREAT_CLASSES,
} from './contract.ts';
export type { ListedRow, RowBatches } from './copy-rows.ts';
export { CORPUS, corpusDataset } from './dataset.ts';
export { KIND } from './indicator-key.ts';
export type { CorpusView, Listing } from './listing-reader.ts';
export { type Corpus, type CorpusAnswer, type CorpusReplica, openCorpus } from './lookup.ts';
export {
  absenceDelists,
  type MergeOptions,
  type MergeReport,
  mergeSnapshot,
  type NamedKeys,
  OutOfStep,
  type SnapshotRows,
} from './merge-snapshot.ts';
export { type CorpusWriteDeps, registerSource } from './register-source.ts';
export { findSource, listSources } from './store.ts';
