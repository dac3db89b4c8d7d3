export {
  CIDR_SEMANTICS,
  FP_RISKS,
  INFRASTRUCTURE_WORDS,
  SEMANTICS,
  SIGNALS,
  type Source,
  SourceId,
  SourceSettings,
  THREAT_CLASSES,
} from './contract.ts';
export type { ListedRow } from './copy-rows.ts';
export { CORPUS, corpusDataset } from './dataset.ts';
export type { CorpusView, Listing } from './listing-reader.ts';
export { type Corpus, type CorpusAnswer, type CorpusReplica, openCorpus } from './lookup.ts';
export { type MergeOptions, type MergeReport, mergeSnapshot } from './merge-snapshot.ts';
export { type CorpusWriteDeps, registerSource } from './register-source.ts';
export { findSource, listSources } from './store.ts';
