/** Orders of versions, one for each scheme that packages and records follow. */
export { withUpdate } from './generic-order.ts';
export {
  compareVersions,
  schemeOfEcosystem,
  schemeOfVersionType,
  VERSION_SCHEMES,
  type VersionScheme,
} from './version-order.ts';
