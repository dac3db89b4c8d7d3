export { createNameTeller, tellAll } from './find-lookalikes.ts';
export { keepWatched } from './follow-watched.ts';
export { type MonitoringWorkerDeps, monitoringWorkerPart } from './jobs.ts';
export { createJudge } from './judge-target.ts';
export { addItem, countWatched, isWatched, type MonitoringDeps } from './keep-items.ts';
export type { FacetLookups } from './look-up-facets.ts';
export { countChangedItems, selectWatchingValues } from './overview-store.ts';
export { monitoringRoutes } from './routes.ts';
export { accountsWatching, watches } from './watchers.ts';
