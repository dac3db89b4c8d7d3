import type { Clock } from '#platform/clock.ts';
import { unavailable } from '#platform/errors.ts';
import { etagOf, isUnchanged } from '#platform/http/conditional.ts';
import { PUBLIC_READ } from '#platform/http/policy.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import { keepValue } from '#platform/kept-value.ts';
import { type Db, type Postgres, postgresFailure } from '#platform/postgres.ts';
import {
  type AllSlices,
  Analytics,
  AnalyticsQuery,
  type Metric,
  PublicStats,
  ThreatStatistics,
} from './contract.ts';
import { NO_COUNTS } from './count-threats.ts';
import { NO_SLICES, presentStatistics } from './present-statistics.ts';
import { THREATS } from './refresh-statistics.ts';
import { findStatistic, hasEntries } from './store.ts';

export type AnalyticsDeps = { readonly clock: Clock; readonly postgres: Postgres };

const TAGS = ['Statistics'];
/** Decisions 3.15. A shared cache may go on serving while it asks again (reliability 5.3). */
const CACHE = 'public, max-age=300, stale-while-revalidate=300, stale-if-error=86400';
const REREAD_MS = 60_000;
const RETRY_AFTER_S = 60;
const DAY_MS = 86_400_000;

export const analyticsRoutes = (deps: AnalyticsDeps): readonly Route[] => {
  const read = keptStatistics(deps);
  return [
    route({
      method: 'GET',
      path: '/stats',
      summary: 'How many threats are listed, and how fast the number grows.',
      description:
        'Computed every five minutes. `indicators`, `sourceCount` and `newestDataAt` are beyond the contract. 503 while a newly loaded corpus has not been counted yet: a number that is known to be wrong is not given out.',
      tags: TAGS,
      policy: PUBLIC_READ,
      reply: PublicStats,
      handle: async (call) => answer(call, (await read()).stats),
    }),
    route({
      method: 'GET',
      path: '/analytics',
      summary: 'The corpus in slices: kinds, categories, sources, levels, days, countries.',
      description:
        'With `metric` that slice alone, under its name. Computed every five minutes, as /stats; levels and countries at most once an hour.',
      tags: TAGS,
      policy: PUBLIC_READ,
      query: AnalyticsQuery,
      reply: Analytics,
      handle: async (call) => answer(call, slice((await read()).analytics, call.query.metric)),
    }),
  ];
};

const slice = (all: AllSlices, metric: Metric | undefined): Analytics =>
  metric === undefined ? all : { [metric]: all[metric] };

/** With 304 there is no body, and the transport takes nothing for an answer. */
function answer<T>(call: Pick<Call, 'request' | 'reply'>, value: T): T {
  return isUnchanged(call, etagOf(JSON.stringify(value)), CACHE) ? (undefined as T) : value;
}

/** Read once a minute per process; while PostgreSQL is away the last figures go on for a day. */
function keptStatistics({ clock, postgres }: AnalyticsDeps): () => Promise<ThreatStatistics> {
  const load = () =>
    readStatistics(postgres.db, clock).catch((error: unknown) => {
      throw postgresFailure(error);
    });
  return keepValue({ clock, freshMs: REREAD_MS, staleMs: DAY_MS, load });
}

async function readStatistics(db: Db, clock: Clock): Promise<ThreatStatistics> {
  // A row that another version wrote is none; and jsonb keeps fields in an order of its own.
  const found = ThreatStatistics.safeParse((await findStatistic(db, THREATS))?.value);
  if (found.success) return found.data;
  if (await hasEntries(db))
    throw unavailable(
      'The statistics are being computed for the first time. Try again in a minute.',
      RETRY_AFTER_S,
    );
  const recent = { added24h: 0, removed24h: 0, added7d: 0, addedBefore7d: 0 };
  return presentStatistics({
    counts: NO_COUNTS,
    slices: NO_SLICES,
    sources: [],
    recent,
    days: [],
    nowMs: clock.now(),
  });
}
