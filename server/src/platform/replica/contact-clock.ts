import type { Clock } from '../clock.ts';
import type { Head } from './head.ts';

/**
 * When this replica was last known to be complete, on the reader's own clock. The replicator stamps its head with the
 * wall clock, which may jump in one process before the other: keys were refused for a moment after each jump ahead, and
 * after a jump back a stopped replicator looked fresh (reliability R3). A stamp that changed between two looks is not
 * older than the time between them and the time that its writing took, and from then on it ages by the monotonic clock.
 */
export class ContactClock {
  readonly #clock: Clock;
  #stampMs: number | null = null;
  #generation = '';
  #contactAtMonotonicMs = 0;
  #lookedAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be called with the head of every look, changed or not. */
  look(head: Pick<Head, 'contactAtMs' | 'contactTookMs' | 'generation'>): void {
    const nowMs = this.#clock.monotonic();
    if (head.contactAtMs !== this.#stampMs || head.generation !== this.#generation) {
      const wallAgeMs = Math.max(0, this.#clock.now() - head.contactAtMs);
      // The time since the last look says nothing about a new generation, so its own stamp counts.
      const isFollowed = this.#stampMs !== null && head.generation === this.#generation;
      const ageMs = isFollowed
        ? Math.min(wallAgeMs, nowMs - this.#lookedAtMs + head.contactTookMs)
        : wallAgeMs;
      this.#contactAtMonotonicMs = nowMs - ageMs;
      this.#stampMs = head.contactAtMs;
      this.#generation = head.generation;
    }
    this.#lookedAtMs = nowMs;
  }

  /** The time of the last contact by the wall clock of this moment, so that `clock.now() - atMs()` is its age. */
  atMs(): number {
    return this.#clock.now() - (this.#clock.monotonic() - this.#contactAtMonotonicMs);
  }
}
