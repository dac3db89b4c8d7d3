import { stalenessOf } from '#domain/scoring/index.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import type { FeedStatus } from './feed-status-store.ts';

/** Health of a source for operators; where several apply, the one named first counts. */
export type FeedHealth = 'off' | 'quarantined' | 'failing' | 'empty' | 'expired' | 'stale' | 'late' | 'fresh';

/** A run may wait for a free worker; a longer delay means that the worker itself has a problem. */
const LATE_MS = 2 * HOUR_MS;

/** The health of a source. `stale` goes by the date of the data, not of the download (scoring finding 2). */
export function healthOf(status: FeedStatus, nowMs: number): FeedHealth {
  if (!status.enabled) return 'off';
  if (status.quarantinedBy !== null) return 'quarantined';
  if (status.problem !== null) return 'failing';
  if (status.dataAtMs === null) return 'empty';
  const { ownList, expiresDays, intervalS } = status;
  const lastFetchAtS = (status.lastFetchAtMs ?? 0) / 1_000;
  const dated = { ownList, expiresDays, intervalS, lastFetchAtS, dataAtS: status.dataAtMs / 1_000 };
  if (stalenessOf(dated, nowMs).isStale) return ownList ? 'expired' : 'stale';
  if (status.scheduled && status.nextRunAtMs !== null && nowMs - status.nextRunAtMs > LATE_MS) return 'late';
  return 'fresh';
}
