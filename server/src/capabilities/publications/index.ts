export { buildJob, enqueueBuild } from './build-job.ts';
export { LATE_AFTER_MS, type PublicationReport, type Scoring } from './describe-publications.ts';
export { openPublications, type Publications } from './open-publications.ts';
export { plainReason } from './plain-reason.ts';
export {
  type Attempt,
  type BuildResult,
  JudgeMissing,
  type RecordDeps,
  type RecordGiven,
  recordBuild,
} from './record-build.ts';
export { expectPublications, listPublications } from './store.ts';
