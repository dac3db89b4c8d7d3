export { CATALOGUE, noticeOf, OFFLINE_FILES, settingsOf } from './catalogue/catalogue.ts';
export type { CatalogueRow } from './catalogue/catalogue-row.ts';
export type { FormatSpec } from './formats/format-spec.ts';
export { type BulkLoad, type BulkReport, openBulkLoad } from './ingest/bulk-load.ts';
export type { IngestReport, Reason } from './ingest/contract.ts';
export { type IngestDeps, ingestSnapshot } from './ingest/ingest-snapshot.ts';
export { computeLineage } from './lineage/compute-lineage.ts';
export { type LineageReport, readLineage } from './lineage/report.ts';
export { lineageWorkerPart } from './lineage/worker-part.ts';
export type { ManifestReport, SourceOutcome } from './offline/contract.ts';
export { healthOf } from './offline/feed-health.ts';
export { type FeedStatus, readFeedStatus } from './offline/feed-status-store.ts';
export { type FilesReport, importFiles } from './offline/import-files.ts';
export { importManifest } from './offline/import-manifest.ts';
export { wholeDays } from './offline/rebase.ts';
export { readRebaseMs } from './offline/store.ts';
export {
  discardQuarantine,
  enqueueRun,
  type FeedsWorkerDeps,
  feedsWorkerPart,
  listQuarantine,
  type PipelineDeps,
  type Quarantined,
  type RollbackReport,
  type RunOptions,
  type RunOutcome,
  releaseQuarantine,
  rollbackSource,
  runSource,
  SourceUpdated,
  stalenessOf,
  startFeeds,
  syncCatalogue,
} from './pipeline/pipeline.ts';
export { readReliability } from './reliability/report.ts';
export { reliabilityWorkerPart } from './reliability/worker-part.ts';
export { type FeedsDeps, feedsRoutes } from './routes.ts';
export { refreshSourceStatistics } from './sources/refresh-source-statistics.ts';
export { SUBMISSION_STATUSES, type Submission, type SubmissionStatus } from './submissions/contract.ts';
export {
  type ApproveOptions,
  approveSubmission,
  listSubmissions,
  rejectSubmission,
} from './submissions/moderate.ts';
