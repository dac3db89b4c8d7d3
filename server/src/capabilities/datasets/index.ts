export {
  type DatasetCursor,
  type DatasetDeps,
  type Decision,
  type Fetchable,
  FetchedPart,
  type Quarantined,
  type RunOptions,
  type RunOutcome,
  type RunPhase,
} from './contract.ts';
export type {
  DatasetDefinition,
  LoadContent,
  LoadDeps,
  LoadReport,
} from './definitions/definition.ts';
export { describeDatasets, type OtherData, PUBLICATION } from './definitions/describe-datasets.ts';
export { type DatasetsWorkerDeps, datasetsWorkerPart, startDatasets } from './definitions/jobs.ts';
export { overrulable } from './definitions/overrulable.ts';
export { type ReleaseGiven, releaseDataset } from './definitions/release-dataset.ts';
export {
  type FilesGiven,
  type FilesOutcome,
  loadFiles,
  registerDataset,
  runDefinition,
} from './definitions/run-definition.ts';
export { type DatasetStatusRow, findDataset, listDatasets } from './definitions/store.ts';
export { contentShaOf, contentShaOfFiles } from './fetch/content-sha.ts';
export { DownloadError, refusalOf } from './fetch/download-error.ts';
export { type FetchedDataset, type FetchGiven, fetchDataset } from './fetch/fetch-dataset.ts';
export { fetchPages, type Page, type PageWalk } from './fetch/fetch-pages.ts';
export { clearOldSpools } from './fetch/spool.ts';
export {
  type DatasetFile,
  type FileOutcome,
  type ImportDatasetsGiven,
  type ImportDatasetsReport,
  importDatasets,
} from './import/import-datasets.ts';
export { type ManifestFile, parseManifest, readManifest } from './import/manifest.ts';
export { insertDecision, listDecisions } from './runs/decision-store.ts';
export { type GoodContent, type LastGood, type Run, recordGood, stays } from './runs/end-run.ts';
export { holdDataset, holdIdleDataset } from './runs/hold-dataset.ts';
export { judgeVolume, median, NO_HISTORY, type RunHistory, type VolumeBand } from './runs/judge-volume.ts';
export { firstRunMs, nextRunMs } from './runs/pacing.ts';
export {
  clearQuarantine,
  discardQuarantine,
  findQuarantine,
  listQuarantine,
  openQuarantined,
} from './runs/quarantine.ts';
export { type OfflineRun, recordOfflineRun } from './runs/record-offline-run.ts';
export { recordRefusedFiles } from './runs/record-refused-files.ts';
export { type RunSubject, runDataset, skipped } from './runs/run-dataset.ts';
export { deleteOldRuns, ensureState, finishRun, insertRun, readState } from './runs/store.ts';
