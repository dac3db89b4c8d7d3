import {
  type CorpusFacts,
  type ExpectedSource,
  hourOf,
  isScannerFor,
  isThreatSource,
  SECONDS_PER_HOUR,
  type SourceFacts,
  type SubjectKind,
} from './facts.ts';
import { stalenessOf } from './source-freshness.ts';

/** Kinds of listed values that count for a subject: a URL is listed itself, or through its host's name or address. */
const SPEAKS_OF: Readonly<Record<SubjectKind, readonly string[]>> = {
  ip: ['ip', 'cidr'],
  domain: ['domain'],
  url: ['url', 'domain', 'ip', 'cidr'],
  hash: ['hash'],
  email: ['email'],
  crypto: ['crypto'],
  phone: ['phone'],
};
/** Without entity types the source's type decides; one that is no kind (`mixed`, the default) excludes nothing. */
const KINDS: ReadonlySet<string> = new Set([...Object.values(SPEAKS_OF).flat(), 'asn']);

/**
 * The weight of a complete corpus for a kind of which the catalogue has no default source (wallets, phone numbers): about
 * that of four sources of grade B, so that one own list does not count as complete.
 */
const WEIGHT_WITHOUT_DEFAULTS = 3;

/** The sources that could have listed subjects of this kind at this hour, against those that are expected (scoring 6). */
export function corpusFactsOf(
  sources: readonly SourceFacts[],
  kind: SubjectKind,
  nowH: number,
  expected: readonly ExpectedSource[],
): CorpusFacts {
  const enabled = sources.filter(
    (source) => source.enabled && isThreatSource(source) && speaksOf(source, kind),
  );
  const loaded = enabled.filter(({ dataAtS }) => dataAtS > 0);
  const fresh = loaded.filter((source) => isFresh(source, nowH));
  const defaults = expected.filter((source) => speaksOf(source, kind));
  const loadedIds = new Set(loaded.map(({ id }) => id));
  const defaultIds = new Set(defaults.map(({ id }) => id));
  const others = loaded.filter(({ id }) => !defaultIds.has(id));
  // Defaults count with the weight of the catalogue: what is learned of a source does not change how much is loaded.
  const loadedDefaults = defaults.filter(({ id }) => loadedIds.has(id));
  const complete = defaults.length > 0 ? sumOfR(defaults) : WEIGHT_WITHOUT_DEFAULTS;
  return Object.freeze({
    coverage: Math.min(1, (sumOfR(loadedDefaults) + sumOfR(others)) / complete),
    defaultShare: defaults.length > 0 ? shareOf(loadedDefaults, defaults) : null,
    otherSources: others.length,
    corpusFresh: shareOf(fresh, loaded),
    freshSources: fresh.length,
    freshScanners: fresh.filter((source) => isScannerFor(source, kind)).length,
    // Capped at this hour, because the clock of a publisher may run ahead.
    newestDataH: loaded.reduce((newest, { dataAtS }) => Math.max(newest, Math.min(nowH, hourOf(dataAtS))), 0),
  });
}

export const isFresh = (source: SourceFacts, nowH: number): boolean =>
  stalenessOf(source, nowH * SECONDS_PER_HOUR * 1_000).isFresh;

export function speaksOf(
  { entityTypes, type }: Pick<SourceFacts, 'entityTypes' | 'type'>,
  kind: SubjectKind,
): boolean {
  if (entityTypes.length > 0) return SPEAKS_OF[kind].some((word) => entityTypes.includes(word));
  return !KINDS.has(type) || SPEAKS_OF[kind].includes(type);
}

type Weighted = Pick<SourceFacts, 'reliability'>;

function shareOf(part: readonly Weighted[], whole: readonly Weighted[]): number {
  const all = sumOfR(whole);
  return all > 0 ? sumOfR(part) / all : 0;
}

const sumOfR = (sources: readonly Weighted[]): number =>
  sources.reduce((sum, { reliability }) => sum + reliability, 0);
