/** Rules of monitoring: how a watched value stands, which change is told, and how often it is checked. */
export { CHECK_HOURS } from './check-hours.ts';
export { changedFacets, FACETS, type Facet, type Facets } from './facets.ts';
export { type ReputationChange, reputationChange, type Stood } from './reputation-change.ts';
export { spellingsOf, type WatchedName, watchedNameOf } from './spellings.ts';
export { statusOf, WATCH_STATUSES, type WatchStatus } from './watch-status.ts';
