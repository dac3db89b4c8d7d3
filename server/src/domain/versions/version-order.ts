import { compareApk, parseApk } from './apk-order.ts';
import { compareComposer, parseComposer } from './composer-order.ts';
import { compareDpkg, parseDpkg } from './dpkg-order.ts';
import { compareGeneric, parseGeneric } from './generic-order.ts';
import { parseGo } from './go-order.ts';
import { compareMaven, parseMaven } from './maven-order.ts';
import { comparePep440, parsePep440 } from './pep440-order.ts';
import { compareRpm, parseRpm } from './rpm-order.ts';
import { compareGem, parseGem } from './rubygems-order.ts';
import { compareSemver, parseNuget, parseSemver } from './semver-order.ts';

export const VERSION_SCHEMES = [
  'semver',
  'pep440',
  'maven',
  'dpkg',
  'rpm',
  'apk',
  'rubygems',
  'composer',
  'go',
  'nuget',
  'generic',
] as const;
export type VersionScheme = (typeof VERSION_SCHEMES)[number];

type Order = (a: string, b: string) => number | null;

const orderBy =
  <V>(parse: (text: string) => V | null, compare: (a: V, b: V) => number): Order =>
  (a, b) => {
    if (a === b) return parse(a) === null ? null : 0;
    const left = parse(a);
    const right = left === null ? null : parse(b);
    return left === null || right === null ? null : Math.sign(compare(left, right));
  };

const ORDERS: Readonly<Record<VersionScheme, Order>> = {
  semver: orderBy(parseSemver, compareSemver),
  pep440: orderBy(parsePep440, comparePep440),
  maven: orderBy(parseMaven, compareMaven),
  dpkg: orderBy(parseDpkg, compareDpkg),
  rpm: orderBy(parseRpm, compareRpm),
  apk: orderBy(parseApk, compareApk),
  rubygems: orderBy(parseGem, compareGem),
  composer: orderBy(parseComposer, compareComposer),
  go: orderBy(parseGo, compareSemver),
  nuget: orderBy(parseNuget, compareSemver),
  generic: orderBy(parseGeneric, compareGeneric),
};

/** Longer texts are not versions, and the parsers need not read them. */
const LENGTH_MAX = 256;

/** -1, 0 or 1; null where one of the two is not a version of the scheme, which is never taken for an order. */
export function compareVersions(scheme: VersionScheme, a: string, b: string): number | null {
  return a.length > LENGTH_MAX || b.length > LENGTH_MAX ? null : ORDERS[scheme](a, b);
}

/** The scheme of an OSV ecosystem; a release suffix (`Debian:12`) does not count. Null for one without a known order. */
export function schemeOfEcosystem(ecosystem: string): VersionScheme | null {
  const [family = ''] = ecosystem.toLowerCase().split(':', 1);
  return ECOSYSTEM_SCHEMES.get(family) ?? null;
}

const ECOSYSTEM_SCHEMES: ReadonlyMap<string, VersionScheme> = new Map([
  ['npm', 'semver'],
  ['crates.io', 'semver'],
  ['hex', 'semver'],
  ['pub', 'semver'],
  ['swifturl', 'semver'],
  ['github actions', 'semver'],
  ['nuget', 'nuget'],
  ['go', 'go'],
  ['pypi', 'pep440'],
  ['maven', 'maven'],
  ['rubygems', 'rubygems'],
  ['packagist', 'composer'],
  ['debian', 'dpkg'],
  ['ubuntu', 'dpkg'],
  ['alpine', 'apk'],
  ['wolfi', 'apk'],
  ['chainguard', 'apk'],
  ['red hat', 'rpm'],
  ['rocky linux', 'rpm'],
  ['almalinux', 'rpm'],
  ['suse', 'rpm'],
  ['opensuse', 'rpm'],
  ['photon os', 'rpm'],
  ['mageia', 'rpm'],
  ['openeuler', 'rpm'],
  ['azure linux', 'rpm'],
  ['conancenter', 'generic'],
  ['hackage', 'generic'],
  ['cran', 'generic'],
  ['bitnami', 'semver'],
]);

/** `versionType` of a CVE record. Null for commits; every word that names no scheme is `generic`. */
export function schemeOfVersionType(versionType: string | null): VersionScheme | null {
  switch (versionType?.trim().toLowerCase()) {
    case 'git':
      return null;
    case 'semver':
      return 'semver';
    case 'python':
    case 'pep440':
      return 'pep440';
    case 'maven':
      return 'maven';
    case 'rpm':
      return 'rpm';
    case 'apk':
      return 'apk';
    case 'dpkg':
    case 'deb':
      return 'dpkg';
    case 'gem':
    case 'rubygems':
      return 'rubygems';
    case 'composer':
      return 'composer';
    case 'go':
      return 'go';
    case 'nuget':
      return 'nuget';
    default:
      return 'generic';
  }
}
