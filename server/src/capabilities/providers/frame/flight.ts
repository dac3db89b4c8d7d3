import { type AskOptions, missing, type Outcome } from '../outcome.ts';

/**
 * One running lookup, shared by all callers with the same query. It is cancelled when the last caller leaves by its
 * signal; a caller whose deadline passes leaves it running, so that the next caller finds the answer cached.
 */
export class Flight<V> {
  readonly #controller = new AbortController();
  readonly #onAbort: () => void;
  readonly #landed: Promise<Outcome<V>>;
  #waiting = 0;
  #goesOn: boolean;
  /** Given to a caller whose deadline passes before the answer comes. */
  standIn: Outcome<V> | null = null;

  constructor(work: (flight: Flight<V>) => Promise<Outcome<V>>, isUnattended: boolean, onAbort: () => void) {
    this.#goesOn = isUnattended;
    this.#onAbort = onAbort;
    this.#landed = work(this);
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
    this.#onAbort();
  }

  /** The outcome, or the stand-in when the deadline of the caller passes or its signal aborts. */
  wait({ deadlineMs, signal }: AskOptions): Promise<Outcome<V>> {
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
      if (deadlineMs !== undefined)
        timer = setTimeout(() => {
          this.#goesOn = true;
          settle(this.standIn ?? missing('deadline'));
        }, deadlineMs);
      signal?.addEventListener('abort', leave, { once: true });
      void this.#landed.then(settle);
    });
  }
}
