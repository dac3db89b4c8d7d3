/** Indicators as STIX 2.1. Used by the service and, through the package's exports, by browsers. */
export { patternOf, type StixSubject, stixString } from './pattern.ts';
export { STIX_KINDS, type StixKind, stixId, stixIdOfOrganization } from './stix-id.ts';
export {
  bundleOf,
  type StixBundle,
  type StixFacts,
  type StixIndicator,
  stixTime,
  toStixIndicator,
} from './stix-indicator.ts';
