import { gauge, registry } from '#platform/metrics.ts';
import type { MountedRoute } from './mounted-route.ts';

const REQUESTS = 'assay_http_requests_total';
const SECONDS = 'assay_http_request_seconds';
const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;
/** Plans are few and ours; the bound is for a deployment that names its own. */
const PLANS_MAX = 32;

const inFlight = gauge({ name: 'http_in_flight', help: 'Requests being worked on.' });
export const reportInFlight = (count: number): void => inFlight.set(count);

/**
 * Plain numbers of one route, turned into metrics when somebody asks. The library's own counters hash their labels on
 * every increment: 0.6 us a request alone and 2 us under load, a third of what the whole mount may cost.
 */
class Tally {
  readonly byPlan = new Map<string, number[]>();
  readonly buckets = new Float64Array(BUCKETS_MS.length + 1);
  count = 0;
  sumMs = 0;

  add(status: number, plan: string, ms: number): void {
    let statuses = this.byPlan.get(plan);
    if (statuses === undefined) {
      const name = this.byPlan.size < PLANS_MAX ? plan : 'other';
      statuses = this.byPlan.get(name) ?? STATUS_CLASSES.map(() => 0);
      this.byPlan.set(name, statuses);
    }
    const statusClass = Math.floor(status / 100) - 1;
    statuses[statusClass] = (statuses[statusClass] ?? 0) + 1;
    let bucket = 0;
    while (bucket < BUCKETS_MS.length && ms > (BUCKETS_MS[bucket] ?? 0)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.count += 1;
    this.sumMs += ms;
  }

  clear(): void {
    this.byPlan.clear();
    this.buckets.fill(0);
    this.count = 0;
    this.sumMs = 0;
  }
}

/** By method and template, shared by every server in the process: there is one registry. */
const tallies = new Map<string, Tally>();

export type RequestCount = (status: number, plan: string, ms: number) => void;

export function requestCounts(method: string, mounted: MountedRoute): RequestCount {
  const route = `${method} ${mounted.template}`;
  const tally = tallies.get(route) ?? new Tally();
  tallies.set(route, tally);
  return (status, plan, ms) => tally.add(status, plan, ms);
}

type Sample = {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
};

const requestSamples = (): Sample[] =>
  [...tallies].flatMap(([route, tally]) =>
    [...tally.byPlan].flatMap(([plan, statuses]) =>
      STATUS_CLASSES.flatMap((status, index) => {
        const value = statuses[index] ?? 0;
        return value === 0 ? [] : [{ value, labels: { route, status, plan } }];
      }),
    ),
  );

const secondsSamples = (): Sample[] =>
  [...tallies].flatMap(([route, tally]) => {
    let below = 0;
    const buckets = BUCKETS_MS.map((bound, index): Sample => {
      below += tally.buckets[index] ?? 0;
      return { value: below, labels: { le: bound / 1_000, route }, metricName: `${SECONDS}_bucket` };
    });
    return [
      ...buckets,
      { value: tally.count, labels: { le: '+Inf', route }, metricName: `${SECONDS}_bucket` },
      { value: tally.sumMs / 1_000, labels: { route }, metricName: `${SECONDS}_sum` },
      { value: tally.count, labels: { route }, metricName: `${SECONDS}_count` },
    ];
  });

function register(name: string, help: string, type: 'counter' | 'histogram', samples: () => Sample[]): void {
  const metric = { name, help, type, aggregator: 'sum' };
  const reset = () => {
    for (const tally of tallies.values()) tally.clear();
  };
  // What the registry asks of a metric; the library has no type for one that is not its own.
  registry.registerMetric({ ...metric, get: async () => ({ ...metric, values: samples() }), reset } as never);
}

register(REQUESTS, 'Requests answered, by route template, status class and plan.', 'counter', requestSamples);
register(SECONDS, 'From the first hook to the closed response.', 'histogram', secondsSamples);
