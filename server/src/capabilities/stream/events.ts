import { eventType } from '#platform/events.ts';
import {
  AlertOfWatchlist,
  ChangedReputation,
  NewsSummary,
  NewThreat,
  PublishedIoc,
  UpdatedThreat,
} from './contract.ts';

export const ThreatNew = eventType({ name: 'threat.new', schema: NewThreat });
export const ThreatUpdated = eventType({ name: 'threat.updated', schema: UpdatedThreat });
export const ReputationChanged = eventType({ name: 'reputation.changed', schema: ChangedReputation });
export const IocPublished = eventType({ name: 'ioc.published', schema: PublishedIoc });
/** Written with the account that watches; no other account ever gets it. */
export const WatchlistAlert = eventType({ name: 'watchlist.alert', schema: AlertOfWatchlist });
export const Summary = eventType({ name: 'stream.summary', schema: NewsSummary });
