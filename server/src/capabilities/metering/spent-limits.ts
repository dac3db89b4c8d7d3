import type { Clock } from '#platform/clock.ts';

/** About 2 MB. Beyond it the oldest is forgotten, and the meter is asked again. */
const REMEMBERED_MAX = 10_000;

type Refused = { readonly limit: number; readonly retryAfterMs: number; readonly isLocal: boolean };

/**
 * The refusals whose time is not over yet, as this process saw them. A window that is spent stays spent until the time it
 * named, so a caller can be refused from memory: before its body is read, and without Redis.
 */
export class SpentLimits<T extends Refused> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #refused = new Map<string, { readonly answer: T; readonly atMs: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** A local refusal is not remembered: Redis may be back at the next request and grant it. */
  remember(id: string, answer: T): void {
    if (answer.isLocal || answer.retryAfterMs <= 0) return;
    this.#refused.delete(id);
    this.#refused.set(id, { answer, atMs: this.#clock.now() });
    if (this.#refused.size <= REMEMBERED_MAX) return;
    for (const oldest of this.#refused.keys()) {
      this.#refused.delete(oldest);
      return;
    }
  }

  /** The refusal and what is left of its time; null once it is over, the clock has moved back or the limit is another. */
  find(id: string, limit: number): { readonly answer: T; readonly retryAfterMs: number } | null {
    if (this.#refused.size === 0) return null;
    const known = this.#refused.get(id);
    if (known === undefined) return null;
    const passedMs = this.#clock.now() - known.atMs;
    const retryAfterMs = known.answer.retryAfterMs - passedMs;
    if (passedMs >= 0 && retryAfterMs > 0 && known.answer.limit === limit)
      return { answer: known.answer, retryAfterMs };
    this.#refused.delete(id);
    return null;
  }
}
