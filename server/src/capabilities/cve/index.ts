export { cveDataset } from './dataset.ts';
export type { CveFact } from './fact.ts';
export { type CveFacts, type KnownCve, openCveFacts } from './facts.ts';
export { cveWorkerPart } from './jobs.ts';
export { mergePending } from './merge/merge-pending.ts';
export { countPending, readTold } from './merge/merge-store.ts';
export { readCountedQuality } from './quality/count-quality.ts';
export { readQuality } from './quality/read-quality.ts';
export { countExploitedNames, type FieldQuality } from './quality/store.ts';
export { type CveDeps, cveRoutes } from './routes.ts';
export { likeOf } from './search/search-cves.ts';
export {
  type CpeRow,
  readAliases,
  searchCpes,
  searchVendors,
  type VendorRow,
} from './search/store.ts';
export { CVE_DATASETS } from './sources/cve-datasets.ts';
export { CVE_FILES, CVE_FOLDERS } from './sources/offline-files.ts';
export { readCveData, readCveStates } from './sources/read-cve-data.ts';
export { describePatterns } from './statistics/describe-patterns.ts';
