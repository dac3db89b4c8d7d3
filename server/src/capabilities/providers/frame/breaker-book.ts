import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { Breaker } from './breaker.ts';
import type { FrameMetrics } from './frame-metrics.ts';

export type BreakerBookDeps = {
  readonly provider: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
  readonly metrics: FrameMetrics;
};

/**
 * Registries are the most numerous upstreams: some 250 serve RDAP. The least recently used breaker is dropped
 * for a new one.
 */
const BREAKERS_MAX = 300;

export class BreakerBook {
  readonly #deps: BreakerBookDeps;
  readonly #breakers = new Map<string, Breaker>();

  constructor(deps: BreakerBookDeps) {
    this.#deps = deps;
  }

  of(upstream: string): Breaker {
    const known = this.#breakers.get(upstream);
    if (known !== undefined) {
      this.#breakers.delete(upstream);
      this.#breakers.set(upstream, known);
      return known;
    }
    if (this.#breakers.size >= BREAKERS_MAX) this.#forgetOldest();
    const breaker = this.#make(upstream);
    this.#breakers.set(upstream, breaker);
    return breaker;
  }

  get size(): number {
    return this.#breakers.size;
  }

  #make(upstream: string): Breaker {
    const { provider, clock, log, metrics } = this.#deps;
    return new Breaker({
      clock,
      onOpen: (pauseMs) => {
        metrics.breakerOpened();
        log.warn({ provider, upstream, pauseMs: Math.round(pauseMs) }, 'live.breaker.opened');
      },
      onClose: () => {
        metrics.breakerClosed();
        log.info({ provider, upstream }, 'live.breaker.closed');
      },
    });
  }

  #forgetOldest(): void {
    const oldest = this.#breakers.entries().next().value;
    if (oldest === undefined) return;
    this.#breakers.delete(oldest[0]);
    if (oldest[1].isOpen) this.#deps.metrics.breakerClosed();
  }
}
