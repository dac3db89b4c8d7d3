export {
  CROWDED_SYSTEM_SHARE,
  type Crowding,
  crowdingOf,
  indexAddresses,
  type ListedAddresses,
  neighboursOf,
} from './crowded.ts';
export { imitatedBy, type PopularLooks, popularLooks } from './imitation.ts';
export { BUCKETS } from './name-features.ts';
export { type NameParts, namePartsOf, partsOf } from './name-parts.ts';
export { EMPTY_NAMES, type NameSignal, type NameTable, nameSignalOf, scoreName } from './name-table.ts';
export { type ListedShare, rateSurroundings, type SurroundingsLevel } from './rate-surroundings.ts';
export {
  BAD_MAX_A_SOURCE,
  GOOD_MAX,
  NameSample,
  type Trained,
  trainingOf,
  trainNames,
} from './train-names.ts';
