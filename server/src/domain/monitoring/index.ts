/** Rules of monitoring: the state of a watched value, which changes raise an alert, and how often it is checked. */
export { CHECK_HOURS } from './check-hours.ts';
export { changedFacets, FACETS, type Facet, type Facets } from './facets.ts';
export { holdsFreedPlaces, PLACE_FREE_AFTER_MS, refusedPlace } from './freed-places.ts';
export { type ReputationChange, reputationChange, type Stood } from './reputation-change.ts';
export { spellingsOf, type WatchedName, watchedNameOf } from './spellings.ts';
export { statusOf, WATCH_STATUSES, type WatchStatus } from './watch-status.ts';
