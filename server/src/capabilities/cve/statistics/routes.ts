import type { Clock } from '#platform/clock.ts';
import { etagOf, isUnchanged } from '#platform/http/conditional.ts';
import { LOADED_HEADERS, markNotLoaded } from '#platform/http/not-loaded.ts';
import { PUBLIC_READ } from '#platform/http/policy.ts';
import { type Call, NO_BODY, type PreparedBody, type Route, route } from '#platform/http/route.ts';
import { DAY_MS, DAY_S } from '#platform/time-units.ts';
import type { CveFacts } from '../facts.ts';
import { EpssQuery, EpssStatistics, Timeseries, TimeseriesQuery } from './contract.ts';
import { countEpss } from './count-epss.ts';
import { countSeries } from './count-series.ts';
import type { PackedFacts } from './packed-facts.ts';

export type CveStatisticsDeps = { readonly facts: CveFacts; readonly clock: Clock };

const TAGS = ['CVE'];
const CACHE = `public, max-age=300, stale-while-revalidate=300, stale-if-error=${DAY_S}`;
/** Limits the kept answers, because minEpss may be any number; the other filters have few values. */
const ANSWERS_MAX = 200;

/** Public figures. They are counted from the replica of this node, never with PostgreSQL. */
export function cveStatisticsRoutes({ facts, clock }: CveStatisticsDeps): readonly Route[] {
  const epss = keepAnswers((all, query: EpssQuery) => countEpss(all, query));
  const series = keepAnswers((all, asked: TimeseriesQuery & { readonly today: number }) =>
    countSeries(all, asked, asked.today * DAY_MS),
  );
  return [
    route({
      method: 'GET',
      path: '/cve/stats/epss',
      summary: 'How likely CVEs are to be exploited: distribution, the highest scores, a summary.',
      description: 'The filters apply to all three parts. Free and public.',
      tags: TAGS,
      policy: PUBLIC_READ,
      query: EpssQuery,
      conditional: true,
      reply: EpssStatistics,
      replyHeaders: LOADED_HEADERS,
      handle: (call) => {
        const counted = epss(facts.all(), call.query);
        if (!counted.loaded) markNotLoaded(call);
        return answer(call, counted);
      },
    }),
    route({
      method: 'GET',
      path: '/cve/stats/timeseries',
      summary: 'CVEs by the day, week or month they were published, by severity.',
      description:
        '`kev` and `active_exploit` are subsets of the CVEs of the bucket. Days without a CVE are zeros; an empty list means that no CVE is loaded. At most 365 days by day, 730 by week, 1,825 by month; more is cut to it.',
      tags: TAGS,
      policy: PUBLIC_READ,
      query: TimeseriesQuery,
      conditional: true,
      reply: Timeseries,
      replyHeaders: LOADED_HEADERS,
      handle: (call) => {
        const all = facts.all();
        if (all.length > 0)
          return answer(call, series(all, { ...call.query, today: Math.floor(clock.now() / DAY_MS) }));
        markNotLoaded(call);
        return answer(call, []);
      },
    }),
  ];
}

function answer<T>(call: Pick<Call, 'request' | 'reply'>, value: T): T | PreparedBody {
  return isUnchanged(call, etagOf(JSON.stringify(value)), CACHE) ? NO_BODY : value;
}

/** Keeps the answers to a question as long as the catalogue does not change. */
function keepAnswers<Q, A>(count: (all: PackedFacts, query: Q) => A): (all: PackedFacts, query: Q) => A {
  const kept = new WeakMap<PackedFacts, Map<string, A>>();
  return (all, query) => {
    const answers = kept.get(all) ?? new Map<string, A>();
    kept.set(all, answers);
    const key = JSON.stringify(query);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const counted = count(all, query);
    if (answers.size < ANSWERS_MAX) answers.set(key, counted);
    return counted;
  };
}
