import type { Source } from '#capabilities/corpus/index.ts';
import { type Assessment, SCANNER } from '#capabilities/judging/index.ts';
import {
  confidenceBaseOf,
  hourOf,
  isFresh,
  isThreat,
  isThreatSource,
  knownSinceS,
  type SubjectKind,
  sightedAtS,
  speaksOf,
} from '#domain/scoring/index.ts';
import type { PhaseData } from './contract-stream.ts';
import { isoOfSeconds } from './iso-time.ts';
import { isShown, matchOf } from './present-listings.ts';

type Listed = PhaseData<'reputation'>['listings'][number];
type Coverage = PhaseData<'reputation'>['coverage'];

export function presentListed({
  subject,
  listings,
  verdict,
}: Pick<Assessment, 'subject' | 'listings' | 'verdict'>): Listed[] {
  const points = new Map(verdict.riskScore.factors.map(({ name, contribution }) => [name, contribution]));
  return listings.filter(isShown).map((listing) => ({
    sourceId: listing.source.id,
    value: listing.matched,
    matchType: matchOf(listing, subject),
    firstSeen: dateOf(knownSinceS(listing)),
    lastSeen: dateOf(sightedAtS(listing)),
    stillListedOn: dateOf(listing.source.dataAtS),
    contribution: Math.max(0, points.get(listing.source.id) ?? 0),
  }));
}

const dateOf = (seconds: number): string | null => (seconds > 0 ? isoOfSeconds(seconds) : null);

/**
 * A source covers the subject if it lists it, even against its registry row, and so does a scanner that
 * answered. Descriptive lists are left out: their silence about a subject says nothing.
 */
export function presentCoverage(assessment: Assessment, hasScanner: boolean): Coverage {
  const { subject, registry, listings, corpus, verdict, nowMs } = assessment;
  // A stream refuses ranges and e-mail addresses, so only these kinds are left.
  const kind = subject.kind as Coverage['kind'] & SubjectKind;
  const accusers = new Set(
    listings.filter((listing) => isShown(listing) && isThreat(listing)).map(({ source }) => source.id),
  );
  const silent = registry.sources
    .filter((source) => source.enabled && isThreatSource(source) && speaksOf(source, kind))
    .concat(hasScanner ? [{ ...SCANNER, dataAtS: nowMs / 1_000 }] : [])
    .filter(({ id }) => !accusers.has(id))
    .toSorted((a, b) => b.reliability - a.reliability)
    .map((source) => silentOf(source, hourOf(nowMs / 1_000)));
  return {
    kind,
    sources: accusers.size + silent.length,
    listing: verdict.blocklistHits,
    fresh: corpus.freshSources + (hasScanner ? 1 : 0),
    silent,
  };
}

const silentOf = (source: Source, nowH: number): Coverage['silent'][number] => ({
  id: source.id,
  name: source.name,
  category: source.category,
  confidenceBase: confidenceBaseOf(source),
  fresh: isFresh(source, nowH),
});
