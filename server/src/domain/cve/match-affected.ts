import {
  compareVersions,
  schemeOfEcosystem,
  schemeOfVersionType,
  type VersionScheme,
} from '#domain/versions/index.ts';
import { rangesInText, type TextRange } from './free-text-versions.ts';
import type { AffectedStatus, ToldAffected, ToldVersions } from './told.ts';
import { affectedUntil, type Opinion, UNAFFECTED, unknownFor } from './verdict.ts';

/** What an `affected` entry of a CVE record says about one version of its product. */
export function judgeAffected(entry: ToldAffected, version: string | null): Opinion {
  if (version === null) return isAlwaysAffected(entry) ? affectedUntil(null) : unknownFor('no-version');
  const found = entry.versions.map((versions) => findIn(versions, version, entry));
  const best = mostSpecific(found.flatMap((one) => (typeof one === 'string' ? [] : [one])));
  if (best?.status === 'affected') return affectedUntil(best.fixedVersion);
  if (found.includes('unordered')) return unknownFor('unordered');
  if (best !== null) return best.status === 'unaffected' ? UNAFFECTED : unknownFor('unstated');
  // A version number cannot be placed among commits, so the default status says nothing about it.
  if (found.includes('commits')) return unknownFor('commits');
  return byDefault(entry, version);
}

function byDefault(entry: ToldAffected, version: string): Opinion {
  const { defaultStatus } = entry;
  if (defaultStatus === 'unknown' || isPastRanges(entry, version)) return unknownFor('unstated');
  return { ...(defaultStatus === 'affected' ? affectedUntil(null) : UNAFFECTED), isDefault: true };
}

/**
 * Some records call every version affected by default and list affected ranges with a fixed version each. The default then
 * means versions before the ranges; one after the end of a range is the fix.
 */
function isPastRanges({ defaultStatus, versions, package: named }: ToldAffected, version: string): boolean {
  if (defaultStatus !== 'affected' || versions.some(({ status }) => status !== 'affected')) return false;
  return versions.some(({ lessThan, lessThanOrEqual, versionType }) => {
    const bound = lessThan ?? lessThanOrEqual;
    const scheme =
      (named === null ? null : schemeOfEcosystem(named.ecosystem)) ?? schemeOfVersionType(versionType);
    const order = bound === null || scheme === null ? null : orderOf(scheme, version, bound);
    return order !== null && (order > 0 || (order === 0 && lessThan !== null));
  });
}

/** CISA splits one product into an entry for each range; with an affected default, each would call the others' fixes affected. */
export function joinRanges(entries: readonly ToldAffected[]): readonly ToldAffected[] {
  const joined = new Map<string, ToldAffected>();
  for (const [at, entry] of entries.entries()) {
    const { vendor, product, defaultStatus, package: named } = entry;
    const isSplit = defaultStatus === 'affected' && entry.versions.length > 0;
    const key = isSplit ? JSON.stringify([vendor, product, named]) : `${at}`;
    const known = joined.get(key);
    joined.set(
      key,
      known === undefined
        ? entry
        : {
            ...known,
            cpes: [...known.cpes, ...entry.cpes],
            versions: [...known.versions, ...entry.versions],
          },
    );
  }
  return [...joined.values()];
}

const isAlwaysAffected = ({ defaultStatus, versions }: ToldAffected): boolean =>
  (defaultStatus === 'affected' && versions.length === 0) ||
  versions.some(({ version, status, lessThan, lessThanOrEqual }) => {
    const isOpen = (lessThan ?? lessThanOrEqual ?? '*') === '*';
    return status === 'affected' && isOpen && version === '*';
  });

type Found = {
  readonly status: AffectedStatus;
  readonly fixedVersion: string | null;
  /** Precedence of statements: a single version before any range; of two ranges the one that starts later. */
  readonly isExact: boolean;
  readonly start: string;
  readonly scheme: VersionScheme;
};

function mostSpecific(found: readonly Found[]): Found | null {
  let best: Found | null = null;
  for (const one of found) if (best === null || isMoreSpecific(one, best)) best = one;
  return best;
}

function isMoreSpecific(one: Found, best: Found): boolean {
  if (one.isExact !== best.isExact) return one.isExact;
  const order = isBeginning(one.start)
    ? isBeginning(best.start)
      ? 0
      : -1
    : isBeginning(best.start)
      ? 1
      : (orderOf(one.scheme, one.start, best.start) ?? 0);
  return order > 0 || (order === 0 && one.status === 'affected');
}

/** Spellings that records use as "from the first version". */
const BEGINNINGS: readonly string[] = [
  '0',
  '*',
  '-',
  '0.0',
  '0.0.0',
  'unspecified',
  'n/a',
  'unknown',
  'all',
  'initial',
];
const isBeginning = (version: string): boolean => BEGINNINGS.includes(version.toLowerCase());
/** Spellings that, as a single version, mean that no version is known. */
const NO_VERSION = /^(?:n\/?a|-|unspecified|unknown|not specified|none|see .*|various|multiple)$/i;

type Place = Found | 'outside' | 'unordered' | 'commits';

function findIn(entry: ToldVersions, version: string, { package: named }: ToldAffected): Place {
  const byType = schemeOfVersionType(entry.versionType);
  if (byType === null) return entry.version === version ? exactly(entry, 'generic') : 'commits';
  const scheme = (named === null ? null : schemeOfEcosystem(named.ecosystem)) ?? byType;
  const bound = entry.lessThan ?? entry.lessThanOrEqual;
  if (bound !== null && isBuildOfRelease(entry, bound)) return findBuild(entry, bound, version);
  return bound === null ? findSingle(entry, version, scheme) : findInRange(entry, version, scheme);
}

const firstNumber = (version: string): string => /^[0-9]+/.exec(version)?.[0] ?? '';

/** With the type `patch`, Citrix names a release as the version and a build of it as the bound: 13.1, below 49.15. */
const isBuildOfRelease = ({ version, versionType }: ToldVersions, bound: string): boolean =>
  versionType?.toLowerCase() === 'patch' && firstNumber(version) !== firstNumber(bound);

function findBuild(entry: ToldVersions, bound: string, version: string): Place {
  if (version === entry.version) return 'unordered';
  if (!version.startsWith(`${entry.version}-`)) return 'outside';
  const order = orderOf('generic', version.slice(entry.version.length + 1), bound);
  if (order === null) return 'unordered';
  if (order > 0 || (order === 0 && entry.lessThan !== null)) return 'outside';
  const fixedVersion = entry.lessThan === null ? null : `${entry.version}-${bound}`;
  return { ...exactly(entry, 'generic'), isExact: false, fixedVersion };
}

const exactly = ({ status, version }: ToldVersions, scheme: VersionScheme): Found => ({
  status,
  fixedVersion: null,
  isExact: true,
  start: version,
  scheme,
});

function findSingle(entry: ToldVersions, version: string, scheme: VersionScheme): Place {
  if (entry.version === version) return exactly(entry, scheme);
  if (NO_VERSION.test(entry.version)) return 'unordered';
  if (entry.version === '0' && entry.changes.length > 0) return statusAt(entry, version, scheme);
  const ranges = rangesInText(entry.version);
  if (ranges === null) return wildcardPlace(entry, version);
  const places = ranges.map((range) => placeInRange(range, version, scheme));
  const at = places.indexOf('inside');
  const range = ranges[at];
  if (range === undefined) return places.includes('unordered') ? 'unordered' : 'outside';
  return {
    status: entry.status,
    fixedVersion: range.high === null || range.high.isInside ? null : range.high.version,
    isExact: range.low !== null && range.low.version === range.high?.version,
    start: range.low?.version ?? '0',
    scheme,
  };
}

/** `2.5.x` and `2.5.*` name all versions that begin with 2.5. */
function wildcardPlace(entry: ToldVersions, version: string): Place {
  const stem = /^[vV]?([0-9]+(?:\.[0-9]+)*)\.[xX*]$/.exec(entry.version)?.[1];
  if (stem === undefined) return 'unordered';
  const isInside = version === stem || version.startsWith(`${stem}.`);
  return isInside ? { ...exactly(entry, 'generic'), isExact: false, start: stem } : 'outside';
}

function placeInRange(
  { low, high }: TextRange,
  version: string,
  scheme: VersionScheme,
): 'inside' | 'outside' | 'unordered' {
  const fromLow = low === null ? 1 : orderOf(scheme, version, low.version);
  const toHigh = high === null ? -1 : orderOf(scheme, version, high.version);
  if (fromLow !== null && (fromLow < 0 || (fromLow === 0 && low?.isInside === false))) return 'outside';
  if (toHigh !== null && (toHigh > 0 || (toHigh === 0 && high?.isInside === false))) return 'outside';
  return fromLow === null || toHigh === null ? 'unordered' : 'inside';
}

function findInRange(entry: ToldVersions, version: string, scheme: VersionScheme): Place {
  const fromStart = isBeginning(entry.version) ? 1 : orderOf(scheme, version, entry.version);
  const isBelow = isBelowBound(entry, version, scheme);
  if (isEmptyRange(entry, scheme))
    return fromStart !== null && fromStart > 0 && isBelow === false ? 'outside' : 'unordered';
  if ((fromStart !== null && fromStart < 0) || isBelow === false) return 'outside';
  return fromStart === null || isBelow === null ? 'unordered' : statusAt(entry, version, scheme);
}

/** Some records give the fixed version as the start of the range too, which leaves open the versions they mean. */
function isEmptyRange({ version, lessThan, lessThanOrEqual }: ToldVersions, scheme: VersionScheme): boolean {
  const bound = lessThan ?? lessThanOrEqual ?? '*';
  if (isBeginning(version) || /[*xX]$/.test(bound)) return false;
  const order = orderOf(scheme, version, bound) ?? -1;
  return order > 0 || (order === 0 && lessThan !== null);
}

function isBelowBound(
  { lessThan, lessThanOrEqual }: ToldVersions,
  version: string,
  scheme: VersionScheme,
): boolean | null {
  const bound = lessThan ?? lessThanOrEqual ?? '*';
  if (bound === '*' || /^unspecified$/i.test(bound)) return true;
  // `6.1.*` as a bound includes everything that begins with 6.1.
  const stem = /^(.+)\.[*xX]$/.exec(bound)?.[1];
  if (stem !== undefined && (version === stem || version.startsWith(`${stem}.`))) return true;
  const order = orderOf(scheme, version, stem ?? bound);
  if (order === null) return null;
  return order < 0 || (order === 0 && lessThan === null);
}

/** The status of the range at this version: that of the last change at or before it. */
function statusAt(entry: ToldVersions, version: string, scheme: VersionScheme): Place {
  let status: AffectedStatus = entry.status;
  let since: string | null = null;
  let next: string | null = null;
  for (const change of entry.changes) {
    const order = orderOf(scheme, version, change.at);
    if (order === null) return 'unordered';
    if (order >= 0 && (since === null || (orderOf(scheme, change.at, since) ?? 0) >= 0)) {
      since = change.at;
      status = change.status;
    } else if (
      order < 0 &&
      change.status === 'unaffected' &&
      (next === null || (orderOf(scheme, change.at, next) ?? 0) < 0)
    )
      next = change.at;
  }
  const bound =
    entry.lessThan === null || /[*xX]$|^unspecified$/i.test(entry.lessThan) ? null : entry.lessThan;
  return { status, fixedVersion: next ?? bound, isExact: false, start: entry.version, scheme };
}

/** Records label versions of four numbers as semver; these are compared by the generic scheme instead. */
export const orderOf = (scheme: VersionScheme, a: string, b: string): number | null =>
  compareVersions(scheme, a, b) ?? (scheme === 'generic' ? null : compareVersions('generic', a, b));
