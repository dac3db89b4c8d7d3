/** Indicators as STIX 2.1. Used by the service and, through the package's exports, by browsers. */
export { familyObjects, identityOf, observedData } from './other-objects.ts';
export { patternOf, type StixSubject, stixString } from './pattern.ts';
export { STIX_KINDS, type StixKind, stixId, stixIdOfOrganization, stixKindOf } from './stix-id.ts';
export {
  bundleOf,
  type StixBundle,
  type StixFacts,
  type StixIndicator,
  type StixReport,
  toStixIndicator,
} from './stix-indicator.ts';
export { microsOf, stixTime, stixTimeOfMicros } from './stix-time.ts';
