import { isThreat, isThreatSource, type SubjectKind, speaksOf } from '#domain/scoring/index.ts';
import type { Assessment } from './assess.ts';
import type { PhaseData } from './contract-stream.ts';
import { isoOfSeconds } from './iso-time.ts';
import { isShown } from './present-listings.ts';
import { SCANNER_ID } from './scanner-word.ts';

type Listed = PhaseData<'reputation'>['listings'][number];
type Coverage = PhaseData<'reputation'>['coverage'];

/** What each entry of `sources` lists, when, and what it counts for; one an entry, in their order. */
export function presentListed({ listings, verdict }: Pick<Assessment, 'listings' | 'verdict'>): Listed[] {
  const points = new Map(verdict.riskScore.factors.map(({ name, contribution }) => [name, contribution]));
  return listings.filter(isShown).map(({ source, matched, matchType, firstSeenS, lastSeenS }) => ({
    sourceId: source.id,
    value: matched,
    matchType: matchType as Listed['matchType'],
    firstSeen: dateOf(firstSeenS),
    lastSeen: dateOf(lastSeenS),
    contribution: Math.max(0, points.get(source.id) ?? 0),
  }));
}

const dateOf = (seconds: number): string | null => (seconds > 0 ? isoOfSeconds(seconds) : null);

/**
 * Whoever lists it covers it, whatever its registry row says; so does a scanner that was asked and answered. Lists that
 * only describe are left out: that they do not name something says nothing about it.
 */
export function presentCoverage(assessment: Assessment, hasScanner: boolean): Coverage {
  const { subject, registry, listings, corpus, verdict } = assessment;
  // Of a stream it is one of these: ranges and e-mail addresses are refused at the door.
  const kind = subject.kind as Coverage['kind'] & SubjectKind;
  const able = new Set(
    registry.sources
      .filter((source) => source.enabled && isThreatSource(source) && speaksOf(source, kind))
      .map(({ id }) => id),
  );
  for (const listing of listings) if (isShown(listing) && isThreat(listing)) able.add(listing.source.id);
  if (hasScanner) able.add(SCANNER_ID);
  return {
    kind,
    sources: able.size,
    listing: verdict.blocklistHits,
    fresh: corpus.freshSources + (hasScanner ? 1 : 0),
  };
}
