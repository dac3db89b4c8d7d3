export { BRAND_TECHNIQUES, type BrandSignal, type BrandTechnique, brandSignalOf } from './brand-signal.ts';
export {
  COMMAND_SERVER,
  CROWDED_SYSTEM_SHARE,
  type Crowding,
  crowdingOf,
  indexAddresses,
  LISTED_NOW,
  type ListedAddresses,
  neighboursOf,
  type Surroundings,
} from './crowded.ts';
export { BRAND_LOOKS, imitatedBy, type PopularLooks, popularLooks } from './imitation.ts';
export { BUCKETS } from './name-features.ts';
export { type NameParts, namePartsOf, partsOf } from './name-parts.ts';
export { EMPTY_NAMES, type NameSignal, type NameTable, nameSignalOf, scoreName } from './name-table.ts';
export { type ListedShare, rateSurroundings, type SurroundingsLevel } from './rate-surroundings.ts';
export {
  NAMED_MIN,
  type PlatformHeat,
  type TenantFact,
  type TenantSignal,
  tenantSignalOf,
} from './tenant-signal.ts';
export {
  BAD_MAX_A_SOURCE,
  GOOD_MAX,
  NameSample,
  type Trained,
  trainingOf,
  trainNames,
} from './train-names.ts';
