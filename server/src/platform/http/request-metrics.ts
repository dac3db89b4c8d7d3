import { DurationTally, gauge, talliedCounter, talliedHistogram } from '#platform/metrics.ts';
import type { MountedRoute } from './mounted-route.ts';

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;
const PLANS_MAX = 32;

const inFlight = gauge({ name: 'http_in_flight', help: 'Requests being worked on.' });
export const reportInFlight = (count: number): void => inFlight.set(count);

const bodies = gauge({ name: 'http_bodies_in_transit', help: 'Requests whose body is on its way.' });
export const reportBodies = (count: number): void => bodies.set(count);

/** Plain counters of one route: a labelled counter would take a third of the CPU time that the whole mount may cost. */
class Tally {
  readonly byPlan = new Map<string, number[]>();
  readonly durations = new DurationTally(BUCKETS_MS);

  add(status: number, plan: string, ms: number): void {
    let statuses = this.byPlan.get(plan);
    if (statuses === undefined) {
      const name = this.byPlan.size < PLANS_MAX ? plan : 'other';
      statuses = this.byPlan.get(name) ?? STATUS_CLASSES.map(() => 0);
      this.byPlan.set(name, statuses);
    }
    const statusClass = Math.floor(status / 100) - 1;
    statuses[statusClass] = (statuses[statusClass] ?? 0) + 1;
    this.durations.add(ms);
  }

  clear(): void {
    this.byPlan.clear();
    this.durations.clear();
  }
}

/** By method and template, shared by every server in the process, because there is one registry. */
const tallies = new Map<string, Tally>();

export type RequestCount = (status: number, plan: string, ms: number) => void;

export function requestCounts(method: string, mounted: MountedRoute): RequestCount {
  const route = `${method} ${mounted.template}`;
  const tally = tallies.get(route) ?? new Tally();
  tallies.set(route, tally);
  return (status, plan, ms) => tally.add(status, plan, ms);
}

const requestSamples = () =>
  [...tallies].flatMap(([route, tally]) =>
    [...tally.byPlan].flatMap(([plan, statuses]) =>
      STATUS_CLASSES.flatMap((status, index) => {
        const value = statuses[index] ?? 0;
        return value === 0 ? [] : [{ value, labels: { route, status, plan } }];
      }),
    ),
  );

const reset = () => {
  for (const tally of tallies.values()) tally.clear();
};

talliedCounter({
  name: 'http_requests_total',
  help: 'Requests answered, by route template, status class and plan.',
  samples: requestSamples,
  reset,
});
talliedHistogram({
  name: 'http_request_seconds',
  help: 'From the first hook to the closed response.',
  tallies: () => [...tallies].map(([route, { durations }]) => [{ route }, durations] as const),
  reset,
});
