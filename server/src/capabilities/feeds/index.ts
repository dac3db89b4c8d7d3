export { addSource } from './import/add-source.ts';
export type { ManifestReport, SourceOutcome } from './import/contract.ts';
export { type DescribedFeed, describeFeed } from './import/describe-feed.ts';
export { type FeedStatus, readFeedStatus } from './import/feed-status-store.ts';
export { type FilesReport, importFiles } from './import/import-files.ts';
export { announceImport, importManifest } from './import/import-manifest.ts';
export { wholeDays } from './import/rebase.ts';
export { readRebaseMs } from './import/store.ts';
export { type BulkLoad, type BulkReport, openBulkLoad } from './ingest/bulk-load.ts';
export type { IngestReport } from './ingest/contract.ts';
export { type IngestDeps, ingestSnapshot } from './ingest/ingest-snapshot.ts';
export {
  enqueueRun,
  type FeedsWorkerDeps,
  feedsWorkerPart,
  type PipelineDeps,
  type RollbackReport,
  releaseQuarantine,
  rollbackSource,
  runSource,
  SourceUpdated,
  startFeeds,
  syncCatalogue,
} from './pipeline/pipeline.ts';
export { countFreshness, type FeedsDeps, feedsRoutes, keepDataHealth } from './routes.ts';
export { refreshSourceStatistics } from './sources/refresh-source-statistics.ts';
export { disableSource, enableSource, retireSource } from './sources/switch-source.ts';
export { SUBMISSION_STATUSES, type Submission, type SubmissionStatus } from './submissions/contract.ts';
export {
  type ApproveOptions,
  approveSubmission,
  listSubmissions,
  rejectSubmission,
} from './submissions/moderate.ts';
