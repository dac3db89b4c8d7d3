import type { Clock } from '#platform/clock.ts';
import type { Redis } from '#platform/redis.ts';

/** Since when which part of Redis has been away. In a cluster each master is a part of its own. */
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

  /** A call for this key failed. */
  failed(key: string): void {
    this.#begin(this.#redis.groupOf(key));
  }

  /** A call for this key succeeded. Costs nothing while nothing is away. */
  succeeded(key: string): void {
    if (this.#sinceMs.size > 0) this.#sinceMs.delete(this.#redis.groupOf(key));
  }

  /** True when local counters have served long enough (decisions O7). */
  isBeyondGrace(key: string): boolean {
    const sinceMs = this.#sinceMs.get(this.#redis.groupOf(key));
    return sinceMs !== undefined && this.#clock.monotonic() - sinceMs > this.#graceMs;
  }

  /** An outage begins when it begins, not when somebody happens to call; and a server that left has none. */
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
