import type { PackageName } from './told.ts';

/** OSV ecosystem by purl type. */
const PURL_TYPES: ReadonlyMap<string, string> = new Map([
  ['npm', 'npm'],
  ['pypi', 'PyPI'],
  ['maven', 'Maven'],
  ['golang', 'Go'],
  ['gem', 'RubyGems'],
  ['composer', 'Packagist'],
  ['cargo', 'crates.io'],
  ['nuget', 'NuGet'],
  ['hex', 'Hex'],
  ['pub', 'Pub'],
  ['swift', 'SwiftURL'],
  ['conan', 'ConanCenter'],
  ['hackage', 'Hackage'],
  ['cran', 'CRAN'],
  ['bitnami', 'Bitnami'],
  ['githubactions', 'GitHub Actions'],
]);

/** Registries that CVE records name as `collectionURL`. */
const COLLECTIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^https?:\/\/(?:repo\.maven\.apache\.org|repo1\.maven\.org|search\.maven\.org|mvnrepository\.com)\b/,
    'Maven',
  ],
  [/^https?:\/\/(?:www\.npmjs\.com|npmjs\.com|registry\.npmjs\.org)\b/, 'npm'],
  [/^https?:\/\/(?:pypi\.org|pypi\.python\.org)\b/, 'PyPI'],
  [/^https?:\/\/(?:www\.)?rubygems\.org\b/, 'RubyGems'],
  [/^https?:\/\/(?:repo\.)?packagist\.org\b/, 'Packagist'],
  [/^https?:\/\/crates\.io\b/, 'crates.io'],
  [/^https?:\/\/(?:www\.)?nuget\.org\b/, 'NuGet'],
  [/^https?:\/\/(?:pkg\.go\.dev|proxy\.golang\.org)\b/, 'Go'],
  [/^https?:\/\/(?:www\.)?hex\.pm\b/, 'Hex'],
  [/^https?:\/\/pub\.dev\b/, 'Pub'],
];

export const ecosystemOfCollection = (url: string): string | null =>
  COLLECTIONS.find(([expression]) => expression.test(url.toLowerCase()))?.[1] ?? null;

export const ecosystemOfPurlType = (type: string): string | null => PURL_TYPES.get(type) ?? null;

/** The name as its registry compares it: PyPI takes `Foo_Bar` for `foo-bar`, Packagist and NuGet ignore capitals. */
export function packageName(ecosystem: string, name: string): PackageName {
  switch (ecosystem) {
    case 'PyPI':
      return { ecosystem, name: name.toLowerCase().replace(/[-_.]+/g, '-') };
    case 'Packagist':
    case 'NuGet':
      return { ecosystem, name: name.toLowerCase() };
    case 'crates.io':
      return { ecosystem, name: name.replaceAll('_', '-') };
    default:
      return { ecosystem, name };
  }
}

/** The key of a package; the release of a distribution is part of the ecosystem (`Debian:12`). */
export const packageKey = ({ ecosystem, name }: PackageName): string => `${ecosystem.toLowerCase()} ${name}`;
