import type { Assessment } from '#capabilities/judging/index.ts';
import { isActive, isThreat, knownSinceS, sightedAtS } from '#domain/scoring/index.ts';
import type { Timeline } from './contract-context.ts';
import { isoOfSeconds } from './iso-time.ts';
import { trendOf } from './trend.ts';

/** Equals the default number of days of `GET /threat-intel/history` (G38). */
export const TIMELINE_DAYS = 30;

/** The accusing sources over the last days and the trend of the score. `past` is oldest first, one per day. */
export function tellTimeline(today: Assessment, past: readonly Assessment[]): Timeline {
  let [firstS, lastS] = [0, 0];
  const accusers = new Set<number>();
  for (const { listings } of [...past, today])
    for (const listing of listings) {
      if (!isThreat(listing) || !isActive(listing)) continue;
      accusers.add(listing.source.number);
      const datedS = knownSinceS(listing);
      if (datedS > 0 && (firstS === 0 || datedS < firstS)) firstS = datedS;
      lastS = Math.max(lastS, sightedAtS(listing));
    }
  return {
    firstSeen: firstS === 0 ? null : isoOfSeconds(firstS),
    lastSeen: lastS === 0 ? null : isoOfSeconds(lastS),
    trend: trendOf(past.map(({ verdict }) => verdict.riskScore.score)),
    totalDetections: accusers.size,
  };
}
