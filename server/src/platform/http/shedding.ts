import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '#platform/clock.ts';
import { counter, gauge } from '#platform/metrics.ts';
import { type LoopWork, measureLoopWork } from './loop-work.ts';
import { LOAD_CLASSES, type LoadClass } from './policy.ts';

/** A request is refused above either figure: mean event-loop delay, and requests of its class in flight. */
export type ShedLimits = Readonly<
  Record<LoadClass, { readonly delayMs: number; readonly inFlightMax: number }>
>;

/** E is shed first and A last; a healthy loop stays under 50 ms (reliability 5.5 and A6). */
export const SHED_LIMITS: ShedLimits = {
  A: { delayMs: 400, inFlightMax: 4_000 },
  B: { delayMs: 250, inFlightMax: 500 },
  C: { delayMs: 180, inFlightMax: 200 },
  D: { delayMs: 120, inFlightMax: 500 },
  E: { delayMs: 80, inFlightMax: 200 },
  pages: { delayMs: 400, inFlightMax: 1_000 },
};

/** Longer delays for a machine whose cores are shared: there a late loop says little about the service's own load. */
export const withDelayFactor = (factor: number): ShedLimits =>
  Object.fromEntries(
    LOAD_CLASSES.map((name) => [name, { ...SHED_LIMITS[name], delayMs: SHED_LIMITS[name].delayMs * factor }]),
  ) as ShedLimits;

const RESOLUTION_MS = 10;
const WINDOW_MS = 500;
const RETRY_AFTER_MAX_S = 3;
/**
 * With so few requests in flight a late loop is not late because of them: the machine is slow, or one piece of work was
 * long. Refusing would help no other caller, so a lone check is answered, only later.
 */
const CALM_IN_FLIGHT = 8;

const shed = counter({ name: 'http_shed_total', help: 'Requests refused under load.', labels: ['class'] });
const loopDelay = gauge({
  name: 'http_loop_delay_ms',
  help: 'Mean event-loop delay of the last half second, which load shedding acts on.',
});

export type Shedder = {
  /** Seconds until a retry, or 0 when the request may go on. `inFlight` counts its class, `total` all classes. */
  readonly refuse: (loadClass: LoadClass, inFlight: number, total: number) => number;
  /** The same for a caller whose own bodies make the loop late; the class only labels the refusal in the counts. */
  readonly refuseCaller: (caller: string, loadClass: LoadClass) => number;
  /** Notes for how long the body of a request held the loop. */
  readonly noteWork: (caller: string, ms: number) => void;
  /** The refusals since the last call, by class; null when there were none. */
  readonly takeRefusals: () => Readonly<Record<string, number>> | null;
  readonly stop: () => void;
};

export type DelaySource = { readonly meanMs: () => number; readonly stop: () => void };

/** The mean and not the maximum: one garbage collection is not overload, but a constantly late loop is. */
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

export type ShedderOptions = {
  readonly delay?: DelaySource;
  readonly work?: LoopWork;
  readonly calmInFlight?: number;
};

/**
 * Refuses by class when the loop is late or a class is full. Delay that a few callers cause with their bodies counts
 * against these callers and is taken off for all others (reliability A7).
 */
export function createShedder(limits: ShedLimits = SHED_LIMITS, options: ShedderOptions = {}): Shedder {
  const {
    delay = eventLoopDelay(),
    work = measureLoopWork(systemClock()),
    calmInFlight = CALM_IN_FLIGHT,
  } = options;
  const refused = Object.fromEntries(LOAD_CLASSES.map((name) => [name, shed.labels(name)]));
  let refusals: Record<string, number> | null = null;
  let turn = 0;
  const refuse = (loadClass: LoadClass): number => {
    refused[loadClass]?.inc();
    refusals ??= {};
    refusals[loadClass] = (refusals[loadClass] ?? 0) + 1;
    // Spread out, so that requests refused together do not return together.
    turn = (turn % RETRY_AFTER_MAX_S) + 1;
    return turn;
  };
  return {
    refuse: (loadClass, inFlight, total) => {
      const limit = limits[loadClass];
      if (inFlight > limit.inFlightMax) return refuse(loadClass);
      if (total <= calmInFlight || delay.meanMs() <= limit.delayMs) return 0;
      return delay.meanMs() * (1 - work.heavyShare()) <= limit.delayMs ? 0 : refuse(loadClass);
    },
    refuseCaller: (caller, loadClass) =>
      work.isHeavy(caller) && delay.meanMs() > limits.E.delayMs ? refuse(loadClass) : 0,
    noteWork: work.add,
    takeRefusals: () => {
      const taken = refusals;
      refusals = null;
      return taken;
    },
    stop: () => {
      delay.stop();
      work.stop();
    },
  };
}
