import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AsOfDeps, isoOf, judgePast, REPLAY_DAYS_MAX, trendOf } from '#capabilities/check/index.ts';
import type { PastSpan } from '#capabilities/corpus/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { isActive, isThreat, knownSinceS, sightedAtS } from '#domain/scoring/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { EVENTS_MAX, type Event, type HistoryQuery, type Point, type ReputationHistory } from './contract.ts';

/** The score of an address or a domain on each day, and the lists that added or removed it. */
export async function tellHistory(
  deps: AsOfDeps,
  { indicator, days }: HistoryQuery,
): Promise<ReputationHistory> {
  const { nowMs, startMs, span, assessments } = await judgePast(deps, indicator, days);
  const points = assessments.map(pointOf);
  // The first load of all lists is no event: there is no earlier state to compare with.
  const sinceMs = Math.max(startMs, span.beganAtMs ?? nowMs);
  const turns = await listingEvents(span, indicator, sinceMs, nowMs);
  const retainedMs =
    span.beganAtMs === null ? null : Math.max(span.beganAtMs, nowMs - REPLAY_DAYS_MAX * DAY_MS);
  return {
    entity: indicator.value,
    type: indicator.kind,
    days,
    points,
    events: [...turns, ...levelEvents(assessments)].sort(byTime).slice(-EVENTS_MAX),
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

/**
 * Compares the accusing sources just before and just after each list change: a source that lists both an
 * address and its range counts once, and switching a source off delists nothing.
 */
async function listingEvents(
  span: PastSpan,
  indicator: Indicator,
  sinceMs: number,
  nowMs: number,
): Promise<readonly Event[]> {
  const events: Event[] = [];
  const turns = span.turns.filter(({ atMs }) => atMs > sinceMs && atMs <= nowMs).slice(-EVENTS_MAX);
  for (const { atMs, sourceNumbers } of turns) {
    const before = accusersAt(span, indicator, atMs - 1);
    const after = accusersAt(span, indicator, atMs);
    const at = isoOf(atMs);
    for (const number of sourceNumbers) {
      const [was, is] = [before.get(number), after.get(number)];
      if (was === undefined && is !== undefined) events.push({ at, type: 'listed', source: is });
      if (was !== undefined && is === undefined) events.push({ at, type: 'delisted', source: was });
    }
    await nextTurn();
  }
  return events;
}

/** Names, by source number, of the threat lists that name the indicator, a range around it or a domain above it. */
function accusersAt(span: PastSpan, indicator: Indicator, atMs: number): ReadonlyMap<number, string> {
  const listings = span.corpusAt(atMs)?.lookup(indicator).listings ?? [];
  return new Map(
    listings
      .filter((listing) => isThreat(listing) && isActive(listing))
      .map(({ source }) => [source.number, source.name]),
  );
}

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
