export type { ListSource } from './build-list.ts';
export { buildLists, type ListReport } from './build-lists.ts';
export { type BlocklistsWorkerDeps, blocklistsWorkerPart } from './jobs.ts';
export type { ListEntry } from './list-entry.ts';
export { isListName, LIST_NAMES, type ListName } from './list-names.ts';
export { type Blocklists, openBlocklists } from './open-blocklists.ts';
export { type BlocklistsDeps, blocklistsRoutes } from './routes.ts';
export type { WithheldEntry } from './serve-withheld.ts';
export { type ListState, listStates, releaseHeld } from './store.ts';
