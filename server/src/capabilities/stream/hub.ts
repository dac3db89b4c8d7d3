import type { EventGap, StreamEvent, SubscribeOptions } from '#platform/events.ts';
import type { EventStream } from '#platform/http/sse.ts';
import type { Log } from '#platform/log.ts';
import { counter } from '#platform/metrics.ts';
import { type Filter, filterKey, matches } from './filter.ts';
import { presentEvent, presentGap, type Told } from './present-event.ts';
import { RecentEvents } from './recent-events.ts';

/** One open stream. */
export type Reader = {
  readonly accountId: string;
  readonly filter: Filter;
  readonly stream: EventStream;
};

/** A reader that gets events as they come. */
type Follower = Reader & {
  /** The id of the last event that the reader already had when it began to follow. */
  readonly afterId: number;
  readonly group: Group;
};
type Group = { readonly key: string; readonly filter: Filter; readonly followers: Set<Follower> };

export type HubDeps = {
  /** Reads the events of all accounts until the signal aborts (`subscribe`). */
  readonly subscribe: (options: SubscribeOptions) => Promise<void>;
  readonly log: Log;
};

/** How many past events are read at the start, so that readers of a restarted process resume from memory. */
const BEHIND = 10_000;
const PAGE = 500;

const delivered = counter({
  name: 'stream_deliveries_total',
  help: 'Events written to readers of the stream.',
});

/**
 * One reader of the event log for all streams of this process. A filter is evaluated once for all readers that have it,
 * and an event is written once as bytes that all of them share.
 */
export class Hub {
  readonly #deps: HubDeps;
  readonly #stopping = new AbortController();
  readonly #groups = new Map<string, Group>();
  readonly #accounts = new Map<string, Set<Follower>>();
  #started: Promise<void> | null = null;
  #recent = new RecentEvents(Number.POSITIVE_INFINITY);
  #waiting: Told[] = [];
  #readId = 0;
  /** The id of the newest event when this process began to read. */
  #startId = 0;
  #isFlushing = false;
  /** The id up to which every event was written to the followers. */
  #lastId = 0;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  get lastId(): number {
    return this.#lastId;
  }

  /** The id after which events are new, even while the hub still reads older ones. */
  get newestId(): number {
    return Math.max(this.#startId, this.#lastId);
  }

  /** Whether every event after this id is in memory. */
  covers(afterId: number): boolean {
    return this.#recent.covers(afterId);
  }

  /** Resolves once new events reach followers. The first call starts the reader of the event log. */
  ready(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  stop(): void {
    this.#stopping.abort();
  }

  #start(): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const reading = this.#deps.subscribe({
      behind: BEHIND,
      signal: this.#stopping.signal,
      onStart: (afterId, newestId) => {
        this.#startId = newestId;
        this.#recent = new RecentEvents(afterId);
        this.#readId = afterId;
        this.#lastId = afterId;
        begun.resolve();
      },
      onEvent: (event) => this.#take(event),
      onGap: (gap) => this.#takeGap(gap),
    });
    reading.catch((error: unknown) => {
      this.#deps.log.error({ err: error }, 'stream.reader.failed');
      begun.reject(error);
      this.#endAll();
    });
    return begun.promise;
  }

  /** Ends all streams after the reader of the event log failed; the next stream starts it again. */
  #endAll(): void {
    this.#started = null;
    for (const { followers } of this.#groups.values()) for (const { stream } of followers) stream.end();
  }

  #take(event: StreamEvent): void {
    const told = this.#present(event);
    if (told !== null) this.#waiting.push(told);
    this.#readTo(event.id);
  }

  /** An unreadable event becomes a gap, so that it neither ends all streams nor is left out silently. */
  #present(event: StreamEvent): Told | null {
    try {
      return presentEvent(event);
    } catch (error) {
      this.#deps.log.error({ err: error, id: event.id, type: event.type }, 'stream.event.unreadable');
      return presentGap(String(event.id - 1), event.id, 'lost');
    }
  }

  #takeGap({ afterId, beforeId }: EventGap): void {
    this.#waiting.push(presentGap(String(afterId), beforeId - 1, 'lost'));
    this.#readTo(beforeId - 1);
  }

  /** Events that were read in one turn of the event loop are written to each reader in one write. */
  #readTo(id: number): void {
    this.#readId = id;
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    const events = this.#waiting;
    this.#waiting = [];
    for (const event of events) this.#recent.add(event);
    this.#lastId = this.#readId;
    if (events.length === 0 || this.#groups.size === 0) return;
    const shared = events.filter(({ accountId }) => accountId === null);
    const apart = this.#followersApart(events);
    for (const { filter, followers } of this.#groups.values()) {
      const wanted = shared.filter((event) => matches(filter, event));
      if (wanted.length === 0) continue;
      const bytes = joined(wanted);
      const [first] = wanted;
      for (const follower of followers) {
        if (apart.has(follower)) continue;
        if (follower.afterId >= (first as Told).id) send(follower, wanted);
        else if (follower.stream.write(bytes)) delivered.inc(wanted.length);
      }
    }
    for (const follower of apart) send(follower, events);
  }

  /** Followers with events of their own account among these; they get all their events one by one, in order. */
  #followersApart(events: readonly Told[]): ReadonlySet<Follower> {
    const apart = new Set<Follower>();
    for (const { accountId } of events)
      if (accountId !== null) for (const follower of this.#accounts.get(accountId) ?? []) apart.add(follower);
    return apart;
  }

  /**
   * A page of the events after an id that this process still has in memory; null if its memory does not reach back so
   * far. `throughId` is the last id that the page covers.
   */
  recentAfter(
    afterId: number,
    reader: Reader,
  ): { readonly events: readonly Told[]; readonly throughId: number } | null {
    if (!this.#recent.covers(afterId)) return null;
    const page = this.#recent.after(afterId, PAGE);
    const throughId = page.length < PAGE ? Math.max(afterId, this.#lastId) : (page.at(-1) as Told).id;
    return { events: page.filter((event) => isFor(reader, event)), throughId };
  }

  /** From now on the reader gets the events after `afterId`, until its stream is closed. */
  follow(reader: Reader, afterId: number): void {
    const key = filterKey(reader.filter);
    const group = this.#groups.get(key) ?? { key, filter: reader.filter, followers: new Set() };
    this.#groups.set(key, group);
    const follower: Follower = { ...reader, afterId, group };
    group.followers.add(follower);
    const own = this.#accounts.get(reader.accountId) ?? new Set();
    this.#accounts.set(reader.accountId, own);
    own.add(follower);
    reader.stream.onClose(() => this.#leave(follower, own));
  }

  #leave(follower: Follower, own: Set<Follower>): void {
    const { group, accountId } = follower;
    group.followers.delete(follower);
    if (group.followers.size === 0) this.#groups.delete(group.key);
    own.delete(follower);
    if (own.size === 0) this.#accounts.delete(accountId);
  }
}

/** Whether a reader gets an event: one of an account goes to that account alone, and the filter has to match. */
export const isFor = ({ accountId, filter }: Reader, event: Told): boolean =>
  (event.accountId === null || event.accountId === accountId) && matches(filter, event);

function send(follower: Follower, events: readonly Told[]): void {
  const wanted = events.filter((event) => event.id > follower.afterId && isFor(follower, event));
  if (wanted.length > 0 && follower.stream.write(joined(wanted))) delivered.inc(wanted.length);
}

export const joined = (events: readonly Told[]): Buffer =>
  events.length === 1 ? (events[0] as Told).bytes : Buffer.concat(events.map(({ bytes }) => bytes));
