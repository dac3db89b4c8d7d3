export {
  type PipelineDeps,
  type Quarantined,
  type RunOptions,
  type RunOutcome,
  SourceUpdated,
} from './contract.ts';
export { enqueueRun, type FeedsWorkerDeps, feedsWorkerPart, startFeeds } from './jobs.ts';
export { discardQuarantine, listQuarantine } from './quarantine.ts';
export { releaseQuarantine } from './release-quarantine.ts';
export { type RollbackReport, rollbackSource } from './rollback-source.ts';
export { runSource } from './run-source.ts';
export { syncCatalogue } from './sync-catalogue.ts';
