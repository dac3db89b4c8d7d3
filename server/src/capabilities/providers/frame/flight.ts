import type { Clock } from '#platform/clock.ts';
import { type AskOptions, missing, type Outcome } from '../outcome.ts';

export type FlightOptions<V> = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly work: (flight: Flight<V>) => Promise<Outcome<V>>;
  /** Begun in the background, so that it goes on without a caller. */
  readonly isUnattended: boolean;
  readonly onAbort: () => void;
};

/**
 * One running lookup, shared by all callers with the same query. It is cancelled when the last caller leaves by its
 * signal; a caller whose deadline passes leaves it running, so that the next caller finds the answer cached. Deadlines
 * count from the start of the lookup, so that a lookup that hangs delays one caller and not each of them.
 */
export class Flight<V> {
  readonly #controller = new AbortController();
  readonly #options: FlightOptions<V>;
  readonly #startedMs: number;
  readonly #behind = Promise.withResolvers<void>();
  readonly #landed: Promise<Outcome<V>>;
  #waiting = 0;
  #goesOn: boolean;
  #isBehind = false;
  /** Given to a caller whose deadline passes before the answer comes. */
  standIn: Outcome<V> | null = null;

  constructor(options: FlightOptions<V>) {
    this.#options = options;
    this.#startedMs = options.clock.monotonic();
    this.#goesOn = options.isUnattended;
    this.#landed = options.work(this);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get landed(): Promise<Outcome<V>> {
    return this.#landed;
  }

  abort(): void {
    if (this.signal.aborted) return;
    this.#controller.abort();
    this.#options.onAbort();
  }

  /** Answers the callers that do not wait for a failing upstream; the lookup goes on without them. */
  goBehind(): void {
    this.#isBehind = true;
    this.#behind.resolve();
  }

  /** The outcome, or the stand-in when the deadline of the caller passes or its signal aborts. */
  wait({ deadlineMs, signal, isBrief = false }: AskOptions): Promise<Outcome<V>> {
    const leftMs = deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - this.#elapsedMs();
    if (leftMs <= 0 || (isBrief && this.#isBehind)) return Promise.resolve(this.#withoutAnswer());
    this.#waiting += 1;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      let isSettled = false;
      const settle = (outcome: Outcome<V>) => {
        if (isSettled) return;
        isSettled = true;
        this.#waiting -= 1;
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        resolve(outcome);
      };
      const leave = () => {
        settle(missing('cancelled'));
        if (this.#waiting === 0 && !this.#goesOn) this.abort();
      };
      const giveUp = () => settle(this.#withoutAnswer());
      if (deadlineMs !== undefined) timer = setTimeout(giveUp, leftMs);
      if (isBrief) void this.#behind.promise.then(giveUp);
      signal?.addEventListener('abort', leave, { once: true });
      void this.#landed.then(settle);
    });
  }

  #elapsedMs(): number {
    return this.#options.clock.monotonic() - this.#startedMs;
  }

  #withoutAnswer(): Outcome<V> {
    this.#goesOn = true;
    return this.standIn ?? missing('underway');
  }
}
