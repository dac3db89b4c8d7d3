export { type PipelineDeps, SourceUpdated } from './contract.ts';
export { enqueueRun, type FeedsWorkerDeps, feedsWorkerPart, startFeeds } from './jobs.ts';
export { releaseQuarantine } from './release-quarantine.ts';
export { type RollbackReport, rollbackSource } from './rollback-source.ts';
export { runSource } from './run-source.ts';
export { syncCatalogue } from './sync-catalogue.ts';
