import type { Clock } from '#platform/clock.ts';
import { unavailable } from '#platform/errors.ts';
import { etagOf, isUnchanged } from '#platform/http/conditional.ts';
import { KEYED, PUBLIC_READ } from '#platform/http/policy.ts';
import { type Call, NO_BODY, type PreparedBody, type Route, route } from '#platform/http/route.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { DAY_MS, DAY_S } from '#platform/time-units.ts';
import {
  type AllSlices,
  Analytics,
  AnalyticsQuery,
  type Metric,
  PublicStats,
  ThreatMetrics,
  ThreatStatistics,
} from './contract.ts';
import { NO_COUNTS } from './count-threats.ts';
import { NO_SLICES, presentStatistics } from './present-statistics.ts';
import { THREATS } from './refresh-statistics.ts';
import { findStatistic, hasEntries } from './store.ts';

export type AnalyticsDeps = { readonly clock: Clock; readonly postgres: Postgres };

const TAGS = ['Statistics'];
/**
 * Figures are public for five minutes (decisions 3.15). A shared cache may serve old ones while it
 * revalidates (reliability 5.3).
 */
const CACHE = `public, max-age=300, stale-while-revalidate=300, stale-if-error=${DAY_S}`;
const REREAD_MS = 60_000;
const RETRY_AFTER_S = 60;

export const analyticsRoutes = (deps: AnalyticsDeps): readonly Route[] => {
  const read = keptStatistics(deps);
  return [
    route({
      method: 'GET',
      path: '/stats',
      summary: 'How many threats are listed, and how fast the number grows.',
      description:
        'Computed every five minutes. `indicators`, `sourceCount` and `newestDataAt` are beyond the contract. 503 while a newly loaded corpus has not been counted yet: wrong numbers are not returned.',
      tags: TAGS,
      policy: PUBLIC_READ,
      conditional: true,
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
      conditional: true,
      reply: Analytics,
      handle: async (call) => answer(call, slice((await read()).analytics, call.query.metric)),
    }),
    route({
      method: 'GET',
      path: '/metrics/threats',
      summary: 'The threats of the corpus: an overview, and by category.',
      description: 'The slices `threatOverview` and `categoryBreakdown` of /analytics. Costs no check.',
      tags: TAGS,
      policy: { ...KEYED, since: '1.1.0' },
      reply: ThreatMetrics,
      handle: async () => {
        const { threatOverview, categoryBreakdown } = (await read()).analytics;
        return { threatOverview, categoryBreakdown };
      },
    }),
  ];
};

const slice = (all: AllSlices, metric: Metric | undefined): Analytics =>
  metric === undefined ? all : { [metric]: all[metric] };

function answer<T>(call: Pick<Call, 'request' | 'reply'>, value: T): T | PreparedBody {
  return isUnchanged(call, etagOf(JSON.stringify(value)), CACHE) ? NO_BODY : value;
}

/** Read once a minute per process; while PostgreSQL is down the last figures are served for a day. */
function keptStatistics({ clock, postgres }: AnalyticsDeps): () => Promise<ThreatStatistics> {
  const load = () => readStatistics(postgres.db, clock);
  return keepValue({ clock, freshMs: REREAD_MS, staleMs: DAY_MS, load });
}

async function readStatistics(db: Db, clock: Clock): Promise<ThreatStatistics> {
  // A row of another version is ignored; parsing also restores the field order that jsonb does not keep.
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
