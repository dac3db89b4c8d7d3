import { type AsOfDeps, isoOf, judgePast, REPLAY_DAYS_MAX, trendOf } from '#capabilities/check/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import { isActive, isThreat, knownSinceS, sightedAtS } from '#domain/scoring/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  EVENTS_MAX,
  type Event,
  type HistoryQuery,
  type Point,
  type ReputationHistory,
  type Span,
} from './contract.ts';
import { type ListingSpan, listingSpans } from './listing-spans.ts';

/** The score of an address or a domain on each day, and the spans of time in which lists named it. */
export async function tellHistory(
  deps: AsOfDeps,
  { indicator, days }: HistoryQuery,
  organizationId: string | null,
): Promise<ReputationHistory> {
  const past = await judgePast(deps, indicator, days, organizationId);
  const { nowMs, startMs, span, assessments } = past;
  const points = assessments.map(pointOf);
  const fromMs = Math.max(startMs, span.beganAtMs ?? nowMs);
  const spans = await listingSpans(span, past.indicator, { fromMs, nowMs, turnsMax: EVENTS_MAX });
  const retainedMs =
    span.beganAtMs === null ? null : Math.max(span.beganAtMs, nowMs - REPLAY_DAYS_MAX * DAY_MS);
  return {
    entity: indicator.value,
    type: indicator.kind,
    days,
    points,
    events: [...listingEvents(spans, startMs), ...levelEvents(assessments)].sort(byTime).slice(-EVENTS_MAX),
    spans: spans.slice(-EVENTS_MAX).map(presentSpan),
    ...sightingsOf(assessments),
    trend: trendOf(points.map(({ score }) => score)),
    retainedFrom: retainedMs === null ? null : isoOf(retainedMs),
  };
}

const pointOf = ({ nowMs, verdict }: Assessment): Point => ({
  date: isoOf(nowMs).slice(0, 10),
  score: verdict.riskScore.score,
  level: verdict.riskScore.level,
  blocklistHits: verdict.blocklistHits,
  malicious: verdict.malicious,
});

/** A listing whose start nothing dates is no event, because it may have begun at any time before. */
function listingEvents(spans: readonly ListingSpan[], fromMs: number): readonly Event[] {
  return spans.flatMap(({ source, firstMs, lastMs, isStartKnown, isOpen }): Event[] => [
    ...(isStartKnown && firstMs >= fromMs
      ? [{ at: isoOf(firstMs), type: 'listed' as const, source: source.name }]
      : []),
    ...(isOpen ? [] : [{ at: isoOf(lastMs), type: 'delisted' as const, source: source.name }]),
  ]);
}

const presentSpan = ({ source, firstMs, isStartKnown, lastMs, isOpen }: ListingSpan): Span => ({
  sourceId: source.id,
  source: source.name,
  first: isoOf(firstMs),
  startKnown: isStartKnown,
  last: isoOf(lastMs),
  open: isOpen,
});

function levelEvents(assessments: readonly Assessment[]): readonly Event[] {
  return assessments.flatMap(({ nowMs, verdict }, index): Event[] => {
    const from = assessments[index - 1]?.verdict.riskScore.level;
    const to = verdict.riskScore.level;
    return from === undefined || from === to ? [] : [{ at: isoOf(nowMs), type: 'score_changed', from, to }];
  });
}

const byTime = (a: Event, b: Event): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

function sightingsOf(assessments: readonly Assessment[]): Pick<ReputationHistory, 'firstSeen' | 'lastSeen'> {
  let [firstS, lastS] = [Number.POSITIVE_INFINITY, 0];
  for (const { listings } of assessments)
    for (const listing of listings) {
      if (!isThreat(listing) || !isActive(listing)) continue;
      const datedS = knownSinceS(listing);
      if (datedS > 0) firstS = Math.min(firstS, datedS);
      lastS = Math.max(lastS, sightedAtS(listing));
    }
  return {
    firstSeen: Number.isFinite(firstS) ? isoOf(firstS * 1_000) : null,
    lastSeen: lastS === 0 ? null : isoOf(lastS * 1_000),
  };
}
