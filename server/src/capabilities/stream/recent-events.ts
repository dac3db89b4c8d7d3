import type { Told } from './present-event.ts';

/** Limits of the memory: enough for the readers of a restarted process to resume without PostgreSQL. */
const EVENTS_MAX = 10_000;
const BYTES_MAX = 8 * 1024 * 1024;

/** The newest events of this process, complete after `fromId`, so that a reader resumes without asking PostgreSQL. */
export class RecentEvents {
  #events: Told[] = [];
  #first = 0;
  #bytes = 0;
  #fromId: number;

  constructor(fromId: number) {
    this.#fromId = fromId;
  }

  covers(afterId: number): boolean {
    return afterId >= this.#fromId;
  }

  add(event: Told): void {
    this.#events.push(event);
    this.#bytes += event.bytes.length;
    while (this.#events.length - this.#first > EVENTS_MAX || this.#bytes > BYTES_MAX) this.#drop();
    if (this.#first > EVENTS_MAX) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Up to `limit` events whose id is above `id`, in order. */
  after(id: number, limit: number): readonly Told[] {
    let [low, high] = [this.#first, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle] as Told).id <= id) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low, low + limit);
  }

  #drop(): void {
    const dropped = this.#events[this.#first] as Told;
    this.#first += 1;
    this.#bytes -= dropped.bytes.length;
    this.#fromId = dropped.id;
  }
}
