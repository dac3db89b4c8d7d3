import { monitorEventLoopDelay } from 'node:perf_hooks';
import { counter, gauge } from '#platform/metrics.ts';
import { LOAD_CLASSES, type LoadClass } from './policy.ts';

/** Above either figure a request of the class is refused: mean event-loop delay, and requests of the class at once. */
export type ShedLimits = Readonly<
  Record<LoadClass, { readonly delayMs: number; readonly inFlightMax: number }>
>;

/** Reliability 5.5 and A6: E goes first, A last; a healthy loop stays under 50 ms. */
export const SHED_LIMITS: ShedLimits = {
  A: { delayMs: 400, inFlightMax: 4_000 },
  B: { delayMs: 250, inFlightMax: 500 },
  C: { delayMs: 180, inFlightMax: 200 },
  D: { delayMs: 120, inFlightMax: 500 },
  E: { delayMs: 80, inFlightMax: 200 },
};

const RESOLUTION_MS = 10;
const WINDOW_MS = 500;
const RETRY_AFTER_MAX_S = 3;

const shed = counter({ name: 'http_shed_total', help: 'Requests refused under load.', labels: ['class'] });
const loopDelay = gauge({
  name: 'http_loop_delay_ms',
  help: 'Mean event-loop delay of the last half second, which load shedding acts on.',
});

export type Shedder = {
  /** Seconds after which to come back, or 0 when the request may pass. */
  readonly refuse: (loadClass: LoadClass, inFlight: number) => number;
  readonly stop: () => void;
};

export type DelaySource = { readonly meanMs: () => number; readonly stop: () => void };

/** The mean, not the maximum: one collection pause is not overload, a loop that is late every time is. */
export function eventLoopDelay(): DelaySource {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let meanMs = 0;
  const window = setInterval(() => {
    meanMs = histogram.count === 0 ? WINDOW_MS : Math.max(0, histogram.mean / 1e6 - RESOLUTION_MS);
    loopDelay.set(meanMs);
    histogram.reset();
  }, WINDOW_MS);
  window.unref();
  return {
    meanMs: () => meanMs,
    stop: () => {
      clearInterval(window);
      histogram.disable();
    },
  };
}

export function createShedder(
  limits: ShedLimits = SHED_LIMITS,
  delay: DelaySource = eventLoopDelay(),
): Shedder {
  const refused = Object.fromEntries(LOAD_CLASSES.map((name) => [name, shed.labels(name)]));
  let turn = 0;
  return {
    refuse: (loadClass, inFlight) => {
      const limit = limits[loadClass];
      if (inFlight <= limit.inFlightMax && delay.meanMs() <= limit.delayMs) return 0;
      refused[loadClass]?.inc();
      // Spread out, so that those refused together do not come back together.
      turn = (turn % RETRY_AFTER_MAX_S) + 1;
      return turn;
    },
    stop: delay.stop,
  };
}
