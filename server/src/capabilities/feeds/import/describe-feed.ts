import { expiresAtS } from '#domain/scoring/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { healthOf } from './feed-health.ts';
import type { FeedStatus } from './feed-status-store.ts';

/** A source and its last run in the words and dates that operators read. */
export function describeFeed(source: FeedStatus, nowMs: number) {
  const {
    dataAtMs,
    checkedAtMs,
    fetchedAtMs,
    nextRunAtMs,
    problemSinceMs,
    rebaseMs,
    lastFetchAtMs,
    lastRun,
    ...rest
  } = source;
  const endsAtS = expiresAtS({ ...source, lastFetchAtS: (lastFetchAtMs ?? 0) / 1_000 });
  return {
    ...rest,
    grade: source.letter,
    status: healthOf(source, nowMs),
    importedAt: source.ownList ? iso(lastFetchAtMs) : null,
    expiresAt: endsAtS === null ? null : iso(endsAtS * 1_000),
    dataAt: iso(dataAtMs),
    checkedAt: iso(checkedAtMs),
    fetchedAt: iso(fetchedAtMs),
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
