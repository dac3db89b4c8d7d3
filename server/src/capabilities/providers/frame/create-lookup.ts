import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Redis } from '#platform/redis.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { within } from '#platform/within.ts';
import type { LiveAnswerRow } from '../live-answer-store.ts';
import type { Observations } from '../observation.ts';
import { type AskOptions, type Lookup, type MissingReason, missing, type Outcome } from '../outcome.ts';
import type { Answer, Provider } from '../provider.ts';
import type { AnswerMemory } from './answer-memory.ts';
import {
  type AnswerRecord,
  freshMsLeft,
  type Nothing,
  outcomeOf,
  parseJson,
  readRecord,
  writeRecord,
} from './answer-record.ts';
import type { Pass } from './breaker.ts';
import { BreakerBook } from './breaker-book.ts';
import { Bulkhead } from './bulkhead.ts';
import { type CallEnd, callUpstream } from './call-upstream.ts';
import type { Failure } from './classify-failure.ts';
import { Flight } from './flight.ts';
import { type FrameMetrics, frameMetrics } from './frame-metrics.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { RedisRoom } from './redis-room.ts';

export type FrameDeps = {
  readonly memory: AnswerMemory;
  readonly redis: Redis;
  readonly redisPrefix: string;
  readonly room: RedisRoom;
  readonly kept: KeptAnswers;
  readonly observations: Pick<Observations, 'record'>;
  readonly clock: Clock;
  readonly log: Log;
};

/** A lookup, with the functions to read the caches of several at once. */
export type FramedLookup<K, V> = Lookup<K, V> & {
  /** The Redis key of a query. Queries about one site share a slot of a cluster. */
  readonly idOf: (key: K) => string;
  /** The answer cached in this process; null when Redis has to be read. */
  readonly recall: (id: string) => Outcome<V> | null;
  /** Takes over the Redis value of the id; `missing: uncached` when it is unusable. */
  readonly accept: (id: string, text: unknown) => Outcome<V>;
  readonly close: () => void;
};

/** A single instance, so that it can be compared by identity with cached failures. */
export const UNCACHED = missing('uncached');
/** PostgreSQL is read before the upstream, and may take no longer than a slow disk read. */
const KEPT_PATIENCE_MS = 100;
/** A target that failed is tried at most once a minute, for all callers together (reliability 3.S). */
const TARGET_RETRY_MS = 60_000;
const FRESH_MIN_MS = 1_000;
const FRESH_MAX_MS = 30 * DAY_MS;
/** A larger answer goes to the caller and is not cached. */
const RECORD_BYTES_MAX = 256 * 1024;
const DEFECT_LOG_EVERY_MS = 60_000;

/** `site` selects the slot in Redis Cluster. */
export const createLookup = <K, V>(
  deps: FrameDeps,
  provider: Provider<K, V>,
  siteOf: (key: K) => string,
): FramedLookup<K, V> => new Frame(deps, provider, siteOf);

export const createAbsentLookup = <K, V>(
  name: string,
  reason: Extract<MissingReason, 'off' | 'unconfigured'>,
): FramedLookup<K, V> => {
  const nothing = missing(reason);
  return {
    name,
    isOn: false,
    cached: () => Promise.resolve(nothing),
    ask: () => Promise.resolve(nothing),
    warm: () => undefined,
    idOf: () => '',
    recall: () => nothing,
    accept: () => nothing,
    close: () => undefined,
  };
};

type Asked<V> = { readonly outcome: Outcome<V>; readonly mayStandIn: boolean };

/** Reads memory, Redis and PostgreSQL, then calls the upstream behind its bulkhead and breaker (reliability A4). */
class Frame<K, V> implements FramedLookup<K, V> {
  readonly name: string;
  readonly isOn = true;
  readonly #deps: FrameDeps;
  readonly #provider: Provider<K, V>;
  readonly #siteOf: (key: K) => string;
  readonly #metrics: FrameMetrics;
  readonly #bulkhead: Bulkhead;
  readonly #breakers: BreakerBook;
  readonly #flights = new Map<string, Flight<V>>();
  readonly #unattendedMax: number;
  #unattended = 0;
  #isClosed = false;
  #defectLoggedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: FrameDeps, provider: Provider<K, V>, siteOf: (key: K) => string) {
    this.#deps = deps;
    this.#provider = provider;
    this.#siteOf = siteOf;
    this.name = provider.name;
    this.#metrics = frameMetrics(provider.name);
    this.#bulkhead = new Bulkhead(provider.atOnceMax);
    this.#breakers = new BreakerBook({ ...deps, provider: provider.name, metrics: this.#metrics });
    // Background lookups take at most half of the places; the rest is for callers that wait.
    this.#unattendedMax = Math.max(1, Math.floor(provider.atOnceMax / 2));
  }

  idOf = (key: K): string =>
    `${this.#deps.redisPrefix}:{live:${this.#siteOf(key)}}:${this.name}:${this.#provider.keyOf(key)}`;

  recall = (id: string): Outcome<V> | null => {
    const entry = this.#deps.memory.find(id);
    if (entry === undefined || this.#deps.clock.monotonic() >= entry.freshUntilMs) return null;
    this.#metrics.answered('memory');
    return entry.outcome as Outcome<V>;
  };

  accept = (id: string, text: unknown): Outcome<V> => {
    if (typeof text !== 'string') return UNCACHED;
    const record = readRecord(text, this.#provider.schema);
    if (record === null || freshMsLeft(record, this.#deps.clock.now()) <= 0) return UNCACHED;
    this.#hold(id, record, text.length);
    this.#metrics.answered('redis');
    return outcomeOf(record, false);
  };

  cached = async (key: K): Promise<Outcome<V>> => {
    const id = this.idOf(key);
    return this.recall(id) ?? this.accept(id, await this.#read(id));
  };

  ask = (key: K, options: AskOptions = {}): Promise<Outcome<V>> => {
    const id = this.idOf(key);
    const known = this.recall(id);
    if (known !== null) return Promise.resolve(known);
    if (this.#isClosed || options.signal?.aborted === true) return Promise.resolve(missing('cancelled'));
    const flight = this.#flights.get(id);
    if (flight === undefined) return this.#begin(key, id, false).wait(options);
    this.#metrics.answered('shared');
    return flight.wait(options);
  };

  warm = (key: K): void => {
    const id = this.idOf(key);
    if (this.#isClosed || this.#unattended >= this.#unattendedMax || !this.#bulkhead.hasRoom) return;
    if (!this.#breakers.of(this.#provider.upstreamOf(key)).lets) return;
    if (this.#flights.has(id) || this.recall(id) !== null) return;
    this.#unattended += 1;
    void this.#begin(key, id, true).landed.then(() => {
      this.#unattended -= 1;
    });
  };

  close = (): void => {
    this.#isClosed = true;
    for (const flight of this.#flights.values()) flight.abort();
  };

  #begin(key: K, id: string, isUnattended: boolean): Flight<V> {
    const remove = () => {
      if (this.#flights.get(id) === flight) this.#flights.delete(id);
    };
    const work = (self: Flight<V>) =>
      this.#fly(key, id, self).catch((error: unknown) => {
        this.#report({ kind: 'upstream', isLate: false, isDefect: true }, error);
        return missing('failed');
      });
    const flight = new Flight<V>({ clock: this.#deps.clock, work, isUnattended, onAbort: remove });
    this.#flights.set(id, flight);
    void flight.landed.then(remove);
    return flight;
  }

  async #fly(key: K, id: string, flight: Flight<V>): Promise<Outcome<V>> {
    const remembered = this.accept(id, await this.#read(id));
    if (remembered !== UNCACHED) return remembered;
    const kept = this.#findKept(key);
    const fresh = this.#standInFrom(id, flight, await within(kept, KEPT_PATIENCE_MS, null));
    if (fresh !== null) return fresh;
    const { outcome, mayStandIn } = await this.#askUpstream(key, id, flight);
    if (!mayStandIn) return outcome;
    if (flight.standIn === null) this.#standInFrom(id, flight, await within(kept, KEPT_PATIENCE_MS, null));
    this.#metrics.answered(flight.standIn === null ? 'none' : 'stale');
    return flight.standIn ?? outcome;
  }

  async #read(id: string): Promise<unknown> {
    try {
      return await this.#deps.redis.command(id, ['GET', id]);
    } catch {
      // Without Redis this is a miss; the Redis link logs and counts the outage itself.
      return null;
    }
  }

  #findKept(key: K): Promise<LiveAnswerRow | null> {
    const { keyOf, keepMs } = this.#provider;
    return keepMs > 0 ? this.#deps.kept.find(this.name, keyOf(key)) : Promise.resolve(null);
  }

  /** The outcome of a stored row if still fresh (Redis lost it); else null, and the row becomes the stand-in. */
  #standInFrom(id: string, flight: Flight<V>, row: LiveAnswerRow | null): Outcome<V> | null {
    const { clock, memory } = this.#deps;
    const entry = memory.find(id);
    if (entry?.outcome.state === 'found' && clock.monotonic() < entry.staleUntilMs)
      flight.standIn = { ...(entry.outcome as Outcome<V> & { state: 'found' }), isStale: true };
    const read = row === null ? null : this.#provider.schema.safeParse(parseJson(row.value));
    if (row === null || read?.success !== true) return null;
    const { fetchedAtMs, freshUntilMs } = row;
    const record = { fetchedAtMs, freshMs: freshUntilMs - fetchedAtMs, value: read.data };
    if (freshMsLeft(record, clock.now()) <= 0) {
      flight.standIn ??= outcomeOf(record, true);
      return null;
    }
    this.#remember(id, record);
    this.#metrics.answered('postgres');
    return outcomeOf(record, false);
  }

  async #askUpstream(key: K, id: string, flight: Flight<V>): Promise<Asked<V>> {
    if (flight.signal.aborted) return { outcome: missing('cancelled'), mayStandIn: false };
    const breaker = this.#breakers.of(this.#provider.upstreamOf(key));
    if (!breaker.lets) return this.#withheld('breaker');
    if (!this.#bulkhead.enter()) return this.#withheld('busy');
    if (breaker.isOpen || breaker.isStalled) flight.goBehind();
    const pass = breaker.enter();
    if (pass !== null) return this.#call(key, id, flight, pass);
    this.#bulkhead.leave();
    return this.#withheld('breaker');
  }

  #withheld(reason: 'breaker' | 'busy'): Asked<V> {
    this.#metrics.withheld(reason);
    return { outcome: missing(reason), mayStandIn: true };
  }

  async #call(key: K, id: string, flight: Flight<V>, pass: Pass): Promise<Asked<V>> {
    this.#metrics.began();
    const call = await callUpstream(this.#provider, key, {
      signal: flight.signal,
      clock: this.#deps.clock,
      onReleased: () => this.#bulkhead.leave(),
    });
    switch (call.end) {
      case 'answered':
        pass.end('good');
        this.#metrics.ended(call.answer.value === null ? 'absent' : 'found', call.seconds);
        return { outcome: this.#learn(key, id, call.answer), mayStandIn: false };
      case 'cancelled':
        pass.end('unsaid');
        this.#metrics.ended('cancelled', call.seconds);
        return { outcome: missing('cancelled'), mayStandIn: false };
      case 'deadline':
        pass.end('bad');
        this.#metrics.ended('deadline', call.seconds);
        return { outcome: missing('deadline'), mayStandIn: true };
      case 'failed':
        return this.#failed(id, call, pass);
    }
  }

  #failed(id: string, call: Extract<CallEnd<V>, { end: 'failed' }>, pass: Pass): Asked<V> {
    const { kind } = call.failure;
    this.#metrics.ended(kind === 'upstream' ? 'failed' : kind, call.seconds);
    this.#report(call.failure, call.error);
    if (kind === 'upstream') {
      pass.end('bad');
      return { outcome: missing('failed'), mayStandIn: true };
    }
    // An upstream that reports a failure of the target works itself; a refused query says nothing about the upstream.
    pass.end(kind === 'target' ? 'good' : 'unsaid');
    const nothing: Nothing = kind === 'target' ? 'failed' : 'refused';
    const record = this.#recordOf(nothing, Math.max(this.#provider.absentMs, TARGET_RETRY_MS));
    this.#remember(id, record);
    return { outcome: outcomeOf(record, false), mayStandIn: false };
  }

  #report(failure: Failure, error: unknown): void {
    const { clock, log } = this.#deps;
    // The message of a provider may contain the target, which must not be logged.
    log.debug({ provider: this.name, kind: failure.kind }, 'live.call.failed');
    if (!failure.isDefect || clock.monotonic() - this.#defectLoggedMs < DEFECT_LOG_EVERY_MS) return;
    this.#defectLoggedMs = clock.monotonic();
    log.warn({ provider: this.name, err: error }, 'live.call.unreadable');
  }

  #recordOf(nothing: Nothing, freshMs: number): AnswerRecord<V> {
    return { fetchedAtMs: this.#deps.clock.now(), freshMs, nothing };
  }

  #learn(key: K, id: string, { value, freshMs }: Answer<V>): Outcome<V> {
    const { keyOf, keepMs, absentMs, observe, freshMs: usualMs } = this.#provider;
    const believed = freshMs ?? (value === null ? absentMs : usualMs);
    const boundedMs = Math.min(FRESH_MAX_MS, Math.max(FRESH_MIN_MS, believed));
    if (value === null) {
      const record = this.#recordOf('absent', boundedMs);
      this.#remember(id, record);
      if (keepMs > 0) this.#deps.kept.forget(this.name, keyOf(key));
      this.#metrics.answered('upstream');
      return outcomeOf(record, false);
    }
    const record = { fetchedAtMs: this.#deps.clock.now(), freshMs: boundedMs, value };
    const isKept = this.#remember(id, record) && keepMs > 0;
    if (isKept) this.#keep(keyOf(key), record, keepMs);
    if (observe !== undefined) this.#deps.observations.record(observe(key, value));
    this.#metrics.answered('upstream');
    return outcomeOf(record, false);
  }

  #keep(key: string, { fetchedAtMs, freshMs, value }: AnswerRecord<V> & { value: V }, keepMs: number): void {
    this.#deps.kept.keep({
      provider: this.name,
      key,
      value: JSON.stringify(value),
      fetchedAtMs,
      freshUntilMs: fetchedAtMs + freshMs,
      keepUntilMs: fetchedAtMs + Math.max(keepMs, freshMs),
    });
  }

  #remember(id: string, record: AnswerRecord<V>): boolean {
    const text = writeRecord(record);
    const leftMs = Math.round(freshMsLeft(record, this.#deps.clock.now()));
    if (Buffer.byteLength(text) > RECORD_BYTES_MAX || leftMs <= 0) return false;
    this.#hold(id, record, text.length);
    const { redis, room } = this.#deps;
    if (room.hasRoom(id)) redis.command(id, ['SET', id, text, 'PX', String(leftMs)]).catch(() => undefined);
    return true;
  }

  #hold(id: string, record: AnswerRecord<V>, characters: number): void {
    const { clock, memory } = this.#deps;
    const freshUntilMs = clock.monotonic() + freshMsLeft(record, clock.now());
    const keepMs = record.fetchedAtMs + this.#provider.keepMs - clock.now();
    memory.set(id, {
      outcome: outcomeOf(record, false),
      freshUntilMs,
      staleUntilMs: Math.max(freshUntilMs, clock.monotonic() + keepMs),
      bytes: characters * 2,
    });
  }
}
