/** The face of the folder: fetching, judging, taking back, and the schedule. */
export {
  type PipelineDeps,
  type Quarantined,
  type RunOptions,
  type RunOutcome,
  SourceUpdated,
} from './contract.ts';
export { discardQuarantine, listQuarantine } from './quarantine.ts';
export { releaseQuarantine } from './release-quarantine.ts';
export { type RollbackReport, rollbackSource } from './rollback-source.ts';
export { runSource } from './run-source.ts';
export { enqueueRun, type FeedsWorkerDeps, feedsWorkerPart, startFeeds } from './schedule.ts';
export { stalenessOf } from './staleness.ts';
export { syncCatalogue } from './sync-catalogue.ts';
