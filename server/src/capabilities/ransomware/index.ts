export { type LookupDeps, lookUpEntity } from './answers/look-up-entity.ts';
export type { RansomwareReply } from './check-contract.ts';
export { findDefinition, RANSOMWARE_DATASETS, RANSOMWARE_FILES, RANSOMWARE_FOLDERS } from './definitions.ts';
export { NewClaim } from './events.ts';
export { type ConfirmedClaim, confirm } from './load/confirm.ts';
export { describeSources, type SourceStatus } from './load/describe-sources.ts';
export { listMerges, type MergedClaim } from './load/merge-store.ts';
export { type RansomwareDeps, ransomwareRoutes } from './routes.ts';
