import {
  type CorpusFacts,
  hourOf,
  isScanner,
  isThreatSource,
  SECONDS_PER_HOUR,
  type SourceFacts,
  type SubjectKind,
} from './facts.ts';
import { MODEL } from './model.ts';

/** A URL is known by itself, or by the name or the address of its host. */
const SPEAKS_OF: Readonly<Record<SubjectKind, readonly string[]>> = {
  ip: ['ip', 'cidr'],
  domain: ['domain'],
  url: ['url', 'domain', 'ip', 'cidr'],
  hash: ['hash'],
  email: ['email'],
  crypto: ['crypto'],
  phone: ['phone'],
};
/** Of a row without entity types its type speaks; a type that is no kind (`mixed`, the registry's default) excludes nothing. */
const KINDS: ReadonlySet<string> = new Set([...Object.values(SPEAKS_OF).flat(), 'asn']);

/** What the registry could have said about subjects of this kind at this hour (section 6). */
export function corpusFactsOf(sources: readonly SourceFacts[], kind: SubjectKind, nowH: number): CorpusFacts {
  const enabled = sources.filter(
    (source) => source.enabled && isThreatSource(source) && speaksOf(source, kind),
  );
  const fresh = enabled.filter((source) => isLoaded(source, nowH));
  const recent = fresh.filter(({ dataAtS }) => nowH - hourOf(dataAtS) <= MODEL.freshnessHours.recent);
  return Object.freeze({
    coverage: shareOf(fresh, enabled),
    corpusFresh: shareOf(recent, fresh),
    freshSources: fresh.length,
    freshScanners: fresh.filter(isScanner).length,
    // A publisher's clock may run ahead; its data is then of this hour.
    newestDataH: fresh.reduce((newest, { dataAtS }) => Math.max(newest, Math.min(nowH, hourOf(dataAtS))), 0),
  });
}

/** Fetched within two intervals. A fetch after the hour that is judged happens within it, and in replays: fresh. */
export const isLoaded = ({ lastFetchAtS, intervalS }: SourceFacts, nowH: number): boolean =>
  lastFetchAtS > 0 && nowH * SECONDS_PER_HOUR - lastFetchAtS <= MODEL.graceIntervals * intervalS;

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
