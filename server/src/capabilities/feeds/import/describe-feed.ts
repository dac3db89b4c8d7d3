import { DAY_MS } from '#platform/time-units.ts';
import { healthOf } from './feed-health.ts';
import type { FeedStatus } from './feed-status-store.ts';

/** A source and its last run in the words and dates that operators read. */
export function describeFeed(source: FeedStatus, nowMs: number) {
  const { dataAtMs, checkedAtMs, nextRunAtMs, problemSinceMs, rebaseMs, lastRun, ...rest } = source;
  return {
    ...rest,
    status: healthOf(source, nowMs),
    dataAt: iso(dataAtMs),
    checkedAt: iso(checkedAtMs),
    nextRunAt: iso(nextRunAtMs),
    problemSince: iso(problemSinceMs),
    rebaseDays: Math.round(rebaseMs / DAY_MS),
    lastRun: lastRun === null ? null : describeRun(lastRun),
  };
}
export type DescribedFeed = ReturnType<typeof describeFeed>;

function describeRun({ startedAtMs, finishedAtMs, ...run }: NonNullable<FeedStatus['lastRun']>) {
  return { ...run, startedAt: iso(startedAtMs), finishedAt: iso(finishedAtMs) };
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
