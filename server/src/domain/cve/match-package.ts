import { compareVersions, schemeOfEcosystem, type VersionScheme } from '#domain/versions/index.ts';
import type { ToldEvent, ToldPackage, ToldRange } from './told.ts';
import { addUp, affectedUntil, type Opinion, UNAFFECTED, unknownFor } from './verdict.ts';

/** What an OSV entry says about one version of its package. */
export function judgePackage(entry: ToldPackage, version: string | null): Opinion {
  if (version === null) return unknownFor('no-version');
  const scheme = schemeOfEcosystem(entry.ecosystem);
  const isListed = entry.versions.some((listed) => isSame(scheme, listed, version));
  const ranges = entry.ranges.map((range) => judgeRange(range, entry.ecosystem, version));
  const sum = addUp(ranges);
  if (isListed) return affectedUntil(sum?.status === 'affected' ? sum.fixedVersion : null);
  // Without ranges the list of versions is complete; if it is empty too, OSV means every version.
  if (sum === null) return entry.versions.length === 0 ? affectedUntil(null) : UNAFFECTED;
  return sum;
}

const isSame = (scheme: VersionScheme | null, a: string, b: string): boolean =>
  a === b || (scheme !== null && compareVersions(scheme, a, b) === 0);

function judgeRange({ type, events }: ToldRange, ecosystem: string, version: string): Opinion {
  if (type === 'GIT') return unknownFor('commits');
  const scheme = schemeOfRange(type, ecosystem);
  if (scheme === null || compareVersions(scheme, version, version) === null) return unknownFor('unordered');
  const sorted = sortEvents(events, scheme);
  if (sorted === null) return unknownFor('unordered');
  let isAffected = false;
  let isOpen = false;
  for (const { kind, version: at } of sorted) {
    const order = isBeginning(kind, at) ? 1 : (compareVersions(scheme, version, at) ?? 0);
    if (kind === 'introduced' && order >= 0) isAffected = true;
    if (kind === 'fixed' && order >= 0) isAffected = false;
    if (kind === 'last_affected' && order > 0) isAffected = false;
    if (kind === 'last_known' && order > 0) isOpen = isAffected;
  }
  if (isAffected && isOpen) return unknownFor('unordered');
  return isAffected ? affectedUntil(firstFix(sorted, scheme, version)) : UNAFFECTED;
}

function schemeOfRange(type: 'SEMVER' | 'ECOSYSTEM', ecosystem: string): VersionScheme | null {
  const scheme = schemeOfEcosystem(ecosystem);
  return type === 'SEMVER' && scheme !== 'go' ? 'semver' : scheme;
}

const isBeginning = (kind: ToldEvent['kind'], version: string): boolean =>
  kind === 'introduced' && version === '0';

/** Events in order of version; null if one is not a version. At the same version an end comes before a start. */
function sortEvents(events: readonly ToldEvent[], scheme: VersionScheme): readonly ToldEvent[] | null {
  const ordered = events.filter(({ kind }) => kind !== 'limit');
  if (
    ordered.some(
      ({ kind, version }) =>
        !isBeginning(kind, version) && compareVersions(scheme, version, version) === null,
    )
  )
    return null;
  return ordered.toSorted((a, b) => {
    const isFirstA = isBeginning(a.kind, a.version);
    const isFirstB = isBeginning(b.kind, b.version);
    if (isFirstA || isFirstB) return Number(isFirstB) - Number(isFirstA);
    const order = compareVersions(scheme, a.version, b.version) ?? 0;
    return order || Number(a.kind === 'introduced') - Number(b.kind === 'introduced');
  });
}

const firstFix = (sorted: readonly ToldEvent[], scheme: VersionScheme, version: string): string | null =>
  sorted.find((event) => event.kind === 'fixed' && (compareVersions(scheme, event.version, version) ?? 0) > 0)
    ?.version ?? null;
