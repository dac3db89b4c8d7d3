import type { Clock } from '#platform/clock.ts';
import type { Exchange } from './exchange.ts';
import { LOAD_CLASSES, type LoadClass } from './policy.ts';

/** A deadline passes at most this late. One sweep for all requests costs less than a timer for each. */
const SWEEP_MS = 50;

export type InFlight = {
  readonly open: (exchange: Exchange) => void;
  readonly close: (exchange: Exchange) => void;
  readonly count: (loadClass: LoadClass) => number;
  readonly total: () => number;
  readonly stop: () => void;
};

/** The requests being worked on: counted for load shedding, swept for deadlines. */
export function createInFlight(clock: Clock, onDeadline: (exchange: Exchange) => void): InFlight {
  const exchanges = new Set<Exchange>();
  const counts: Record<LoadClass, number> = { A: 0, B: 0, C: 0, D: 0, E: 0 };
  const sweep = setInterval(() => {
    if (exchanges.size === 0) return;
    const nowMs = clock.monotonic();
    for (const exchange of exchanges)
      if (exchange.deadlineAtMs <= nowMs) {
        exchange.deadlineAtMs = Number.POSITIVE_INFINITY;
        onDeadline(exchange);
      }
  }, SWEEP_MS);
  sweep.unref();
  return {
    open: (exchange) => {
      exchanges.add(exchange);
      counts[exchange.mounted.policy.class] += 1;
    },
    close: (exchange) => {
      if (exchanges.delete(exchange)) counts[exchange.mounted.policy.class] -= 1;
    },
    count: (loadClass) => counts[loadClass],
    total: () => LOAD_CLASSES.reduce((sum, name) => sum + counts[name], 0),
    stop: () => clearInterval(sweep),
  };
}
