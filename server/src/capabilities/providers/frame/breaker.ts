import type { Clock } from '#platform/clock.ts';

/** The result of one call for its upstream; `unsaid` when it was cancelled or the fault was elsewhere. */
export type CallResult = 'good' | 'bad' | 'unsaid';

export type Pass = { readonly end: (result: CallResult) => void };

export type BreakerOptions = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly onOpen: (pauseMs: number) => void;
  readonly onClose: () => void;
};

/** Opens when half of at least 20 calls in 10 s fail (reliability 5.5). */
const WINDOW_S = 10;
const CALLS_MIN = 20;
const BAD_SHARE = 0.5;
/**
 * A bulkhead of 8 whose calls hang for 5 s makes only 16 calls in the window, so this many failures in a row
 * open it too.
 */
const BAD_IN_ROW_MAX = 10;
/** This many calls, each this old, without any answer since they began: the upstream has stalled. */
const STALLED_CALLS = 3;
const STALLED_AFTER_MS = 250;
export const PAUSE_MIN_MS = 5_000;
export const PAUSE_MAX_MS = 60_000;

type Second = { at: number; good: number; bad: number };

/** Stops calls to a failing upstream, then lets one call at a time test whether it works again. */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #seconds: Second[] = Array.from({ length: WINDOW_S }, () => ({ at: -1, good: 0, bad: 0 }));
  #badInRow = 0;
  #isOpen = false;
  #isProbing = false;
  #opened = 0;
  #probeAtMs = 0;
  /** When each call that still runs began. */
  readonly #running = new Set<{ readonly startedMs: number }>();
  #answeredMs = Number.NEGATIVE_INFINITY;
  /** Increases with each change of state: a call that began before it is ignored after it. */
  #epoch = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get lets(): boolean {
    return !this.#isOpen || (!this.#isProbing && this.#options.clock.monotonic() >= this.#probeAtMs);
  }

  /**
   * True while calls hang and none is answered. A call fails only after seconds, so that a breaker opens late: until then
   * this spares callers the wait.
   */
  get isStalled(): boolean {
    const beganBeforeMs = this.#options.clock.monotonic() - STALLED_AFTER_MS;
    let overdue = 0;
    for (const { startedMs } of this.#running)
      if (startedMs >= this.#answeredMs && startedMs < beganBeforeMs) overdue += 1;
    return overdue >= STALLED_CALLS;
  }

  /** Null: do not call. While open, one call at a time may pass after the pause. */
  enter(): Pass | null {
    if (!this.lets) return null;
    const epoch = this.#epoch;
    const call = { startedMs: this.#options.clock.monotonic() };
    this.#running.add(call);
    const isProbe = this.#isOpen;
    if (isProbe) this.#isProbing = true;
    return {
      end: (result) => {
        this.#running.delete(call);
        if (result === 'good') this.#answeredMs = this.#options.clock.monotonic();
        if (isProbe) this.#probed(epoch, result);
        else this.#called(epoch, result);
      },
    };
  }

  #called(epoch: number, result: CallResult): void {
    if (epoch !== this.#epoch || result === 'unsaid') return;
    const at = Math.floor(this.#options.clock.monotonic() / 1_000);
    const second = this.#seconds[at % WINDOW_S] as Second;
    if (second.at !== at) Object.assign(second, { at, good: 0, bad: 0 });
    second[result] += 1;
    this.#badInRow = result === 'bad' ? this.#badInRow + 1 : 0;
    if (result === 'bad' && (this.#badInRow >= BAD_IN_ROW_MAX || this.#isMostlyBad(at))) this.#open();
  }

  #probed(epoch: number, result: CallResult): void {
    if (epoch !== this.#epoch) return;
    this.#isProbing = false;
    if (result === 'bad') this.#open();
    if (result === 'good') this.#close();
  }

  #isMostlyBad(now: number): boolean {
    let good = 0;
    let bad = 0;
    for (const second of this.#seconds)
      if (now - second.at < WINDOW_S) {
        good += second.good;
        bad += second.bad;
      }
    return good + bad >= CALLS_MIN && bad >= BAD_SHARE * (good + bad);
  }

  #open(): void {
    const wasOpen = this.#isOpen;
    const pauseMs = pauseOf(this.#opened);
    this.#epoch += 1;
    this.#opened += 1;
    this.#isOpen = true;
    this.#probeAtMs = this.#options.clock.monotonic() + pauseMs;
    if (!wasOpen) this.#options.onOpen(pauseMs);
  }

  #close(): void {
    this.#epoch += 1;
    this.#opened = 0;
    this.#isOpen = false;
    this.#badInRow = 0;
    for (const second of this.#seconds) second.at = -1;
    this.#options.onClose();
  }
}

/** Doubles each time, with a jitter of a quarter, so that nodes do not retry in step. */
function pauseOf(opened: number): number {
  const pauseMs = PAUSE_MIN_MS * 2 ** Math.min(opened, 4) * (0.75 + Math.random() / 2);
  return Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, pauseMs));
}
