import { DurationTally, gauge, talliedCounter, talliedHistogram } from '#platform/metrics.ts';
import type { MountedRoute } from './mounted-route.ts';

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;
const PLANS_MAX = 32;

const inFlight = gauge({ name: 'http_in_flight', help: 'Requests being worked on.' });
export const reportInFlight = (count: number): void => inFlight.set(count);

const bodies = gauge({ name: 'http_bodies_in_transit', help: 'Requests whose body is on its way.' });
export const reportBodies = (count: number): void => bodies.set(count);

/**
 * Series of one process: a route appears with its first request. Later routes, and later plans and statuses, are counted under
 * the name `other`, so that a page stays below 1,500 series with those of everything else.
 */
const ROUTES_MAX = 50;
const COUNTS_MAX = 350;
const OTHER = 'other';

/** Plain counters of one route: a labelled counter would take a third of the CPU time that the whole mount may cost. */
class Tally {
  readonly byPlan = new Map<string, number[]>();
  readonly durations = new DurationTally(BUCKETS_MS);
  isShown = false;

  add(status: number, plan: string, ms: number): void {
    const statusClass = Math.floor(status / 100) - 1;
    const statuses = this.byPlan.get(plan) ?? this.#open(plan);
    if (statuses[statusClass] === 0 && !takeCount(this, plan)) others.count(statusClass);
    else statuses[statusClass] = (statuses[statusClass] ?? 0) + 1;
    this.durations.add(ms);
  }

  count(statusClass: number): void {
    const statuses = this.byPlan.get(OTHER) ?? this.#open(OTHER);
    statuses[statusClass] = (statuses[statusClass] ?? 0) + 1;
  }

  clear(): void {
    this.byPlan.clear();
    this.durations.clear();
    this.isShown = false;
  }

  #open(plan: string): number[] {
    const name = this.byPlan.size < PLANS_MAX ? plan : OTHER;
    const statuses = this.byPlan.get(name) ?? STATUS_CLASSES.map(() => 0);
    this.byPlan.set(name, statuses);
    return statuses;
  }
}

/** By method and template, shared by every server in the process, because there is one registry. */
const tallies = new Map<string, Tally>();
const others = new Tally();
const answers = STATUS_CLASSES.map(() => 0);
let routesShown = 0;
let countsShown = 0;

function takeCount(tally: Tally, plan: string): boolean {
  if (tally === others && plan === OTHER) return true;
  if (countsShown >= COUNTS_MAX) return false;
  countsShown += 1;
  return true;
}

/** The tally that the requests of a route are counted in, which its first request decides. */
function shownTally(own: Tally): Tally {
  if (routesShown >= ROUTES_MAX) return others;
  routesShown += 1;
  own.isShown = true;
  return own;
}

export type RequestCount = (status: number, plan: string, ms: number) => void;

export function requestCounts(method: string, mounted: MountedRoute): RequestCount {
  const route = `${method} ${mounted.template}`;
  const own = tallies.get(route) ?? new Tally();
  tallies.set(route, own);
  return (status, plan, ms) => {
    const tally = own.isShown ? own : shownTally(own);
    tally.add(status, plan, ms);
    const statusClass = Math.floor(status / 100) - 1;
    answers[statusClass] = (answers[statusClass] ?? 0) + 1;
  };
}

const shownTallies = (): readonly (readonly [string, Tally])[] => [
  ...[...tallies].filter(([, tally]) => tally.isShown),
  ...(others.byPlan.size > 0 ? [[OTHER, others] as const] : []),
];

const requestSamples = () =>
  shownTallies().flatMap(([route, tally]) =>
    [...tally.byPlan].flatMap(([plan, statuses]) =>
      STATUS_CLASSES.flatMap((status, index) => {
        const value = statuses[index] ?? 0;
        return value === 0 ? [] : [{ value, labels: { route, status, plan } }];
      }),
    ),
  );

const reset = () => {
  for (const tally of [...tallies.values(), others]) tally.clear();
  answers.fill(0);
  routesShown = 0;
  countsShown = 0;
};

talliedCounter({
  name: 'http_requests_total',
  help: 'Requests answered, by route template, status class and plan, each from its first use.',
  samples: requestSamples,
  reset,
});
talliedHistogram({
  name: 'http_request_seconds',
  help: 'From the first hook to the closed response.',
  tallies: () => shownTallies().map(([route, { durations }]) => [{ route }, durations] as const),
  reset,
});
talliedCounter({
  name: 'http_answers_total',
  help: 'Requests answered, by status class. Present from the start, so that an alarm sees the first one.',
  samples: () => STATUS_CLASSES.map((status, index) => ({ value: answers[index] ?? 0, labels: { status } })),
  reset,
});
