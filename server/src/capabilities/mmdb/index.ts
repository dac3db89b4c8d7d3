export { type BuildReport, buildMmdb } from './build-mmdb.ts';
export type { MmdbJudge } from './gather-networks.ts';
export { BUILD_MMDB, type MmdbWorkerDeps, mmdbWorkerPart } from './jobs.ts';
export { type Mmdb, openMmdb } from './open-mmdb.ts';
export { publishMmdb } from './publish-mmdb.ts';
export { type MmdbDeps, mmdbRoutes } from './routes.ts';
export { type MmdbState, readState, releaseHeld } from './store.ts';
