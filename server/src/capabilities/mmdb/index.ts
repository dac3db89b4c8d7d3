export { type BuildReport, buildMmdb } from './build-mmdb.ts';
export type { MmdbJudge } from './gather-networks.ts';
export { type MmdbWorkerDeps, mmdbWorkerPart } from './jobs.ts';
export { type Mmdb, openMmdb } from './open-mmdb.ts';
export { type MmdbDeps, mmdbRoutes } from './routes.ts';
export { type MmdbState, readState, releaseHeld } from './store.ts';
