import type { Clock } from '#platform/clock.ts';
import type { Redis } from '#platform/redis.ts';

/** The start of the outage of each part of Redis. In a cluster each master is a part. */
export class Outage {
  readonly #redis: Redis;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #sinceMs = new Map<string, number>();

  constructor(redis: Redis, clock: Clock, graceMs: number) {
    this.#redis = redis;
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  failed(key: string): void {
    this.#begin(this.#redis.groupOf(key));
  }

  succeeded(key: string): void {
    if (this.#sinceMs.size > 0) this.#sinceMs.delete(this.#redis.groupOf(key));
  }

  /** True when the grace period of local counting is over (decisions O7). */
  isBeyondGrace(key: string): boolean {
    const sinceMs = this.#sinceMs.get(this.#redis.groupOf(key));
    return sinceMs !== undefined && this.#clock.monotonic() - sinceMs > this.#graceMs;
  }

  /** Starts an outage even when no call has failed yet, and forgets servers that left. */
  look(): void {
    const { isUp, servers } = this.#redis.status();
    for (const server of servers) if (!server.isUp) this.#begin(server.address);
    if (!isUp || this.#sinceMs.size === 0) return;
    const present = new Set(servers.map((server) => server.address));
    for (const group of this.#sinceMs.keys()) if (!present.has(group)) this.#sinceMs.delete(group);
  }

  get status(): { readonly mode: 'shared' | 'local' | 'closed'; readonly awayMs: number } {
    if (this.#sinceMs.size === 0) return { mode: 'shared', awayMs: 0 };
    const awayMs = Math.round(this.#clock.monotonic() - Math.min(...this.#sinceMs.values()));
    return { mode: awayMs > this.#graceMs ? 'closed' : 'local', awayMs };
  }

  #begin(group: string): void {
    if (!this.#sinceMs.has(group)) this.#sinceMs.set(group, this.#clock.monotonic());
  }
}
