import {
  type CorpusFacts,
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

/** The sources that could have listed subjects of this kind at this hour (scoring 6). */
export function corpusFactsOf(sources: readonly SourceFacts[], kind: SubjectKind, nowH: number): CorpusFacts {
  const enabled = sources.filter(
    (source) => source.enabled && isThreatSource(source) && speaksOf(source, kind),
  );
  const loaded = enabled.filter(({ dataAtS }) => dataAtS > 0);
  const fresh = loaded.filter((source) => isFresh(source, nowH));
  return Object.freeze({
    coverage: shareOf(loaded, enabled),
    corpusFresh: shareOf(fresh, loaded),
    freshSources: fresh.length,
    freshScanners: fresh.filter((source) => isScannerFor(source, kind)).length,
    // Capped at this hour, because the clock of a publisher may run ahead.
    newestDataH: loaded.reduce((newest, { dataAtS }) => Math.max(newest, Math.min(nowH, hourOf(dataAtS))), 0),
  });
}

export const isFresh = (source: SourceFacts, nowH: number): boolean =>
  stalenessOf(source, nowH * SECONDS_PER_HOUR * 1_000).isFresh;

export function speaksOf({ entityTypes, type }: SourceFacts, kind: SubjectKind): boolean {
  if (entityTypes.length > 0) return SPEAKS_OF[kind].some((word) => entityTypes.includes(word));
  return !KINDS.has(type) || SPEAKS_OF[kind].includes(type);
}

function shareOf(part: readonly SourceFacts[], whole: readonly SourceFacts[]): number {
  const all = sumOfR(whole);
  return all > 0 ? sumOfR(part) / all : 0;
}

const sumOfR = (sources: readonly SourceFacts[]): number =>
  sources.reduce((sum, { reliability }) => sum + reliability, 0);
