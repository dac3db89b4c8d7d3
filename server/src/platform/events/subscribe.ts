import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Postgres } from '../postgres.ts';
import type { BlockingRedis } from '../redis.ts';
import { readEvents, readPosition } from './outbox.ts';
import {
  newestId,
  parseEntries,
  STREAM_TIMEOUT_MS,
  type StreamEvent,
  type StreamRedis,
  streamKey,
} from './stream.ts';

export type { StreamEvent } from './stream.ts';

export type SubscribeDeps = {
  readonly redis: StreamRedis;
  /** The system role: events older than the stream are read from the outbox. */
  readonly postgres: Postgres;
  readonly prefix: string;
  readonly log: Log;
};

export type EventGap = { readonly afterId: number; readonly beforeId: number };

export type SubscribeOptions = {
  /** Resumes after this id; starts with new events when absent. */
  readonly afterId?: number;
  /** Without `afterId`: begins with up to this many events before the newest. */
  readonly behind?: number;
  /** Called once with the id after which it begins, and the newest id: later events will be delivered. */
  readonly onStart?: (afterId: number, newestId: number) => void;
  readonly signal: AbortSignal;
  /** Awaited, so a slow subscriber only delays itself. */
  readonly onEvent: (event: StreamEvent) => void | Promise<void>;
  readonly onGap?: (gap: EventGap) => void | Promise<void>;
};

const BLOCK_MS = 5_000;
const PAGE = 500;
const RETRY_MS = 250;

/**
 * Delivers every event once, in order, until the signal aborts. Ids have no gaps, so events missing from the stream
 * (trimmed, or lost by Redis) are noticed and read from the outbox; events that the outbox has dropped too are
 * reported as a gap. It waits while an engine is unreachable, and rejects only when the subscriber's own function
 * throws.
 */
export async function subscribe(deps: SubscribeDeps, options: SubscribeOptions): Promise<void> {
  const { signal } = options;
  const reader = new Reader(options);
  const redis = deps.redis.duplicateBlocking(streamKey(deps.prefix));
  signal.addEventListener('abort', redis.close, { once: true });
  try {
    while (!signal.aborted) {
      try {
        await startReader(deps, redis, reader, options);
        for (const event of await readStream(redis, deps.prefix, reader.lastId)) {
          if (event.id > reader.lastId + 1) await fillFromOutbox(deps, reader, event.id);
          await reader.take(event);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (reader.hasFailed) throw error;
        deps.log.debug({ err: error }, 'events.subscribe.waiting');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  } finally {
    signal.removeEventListener('abort', redis.close);
    redis.close();
  }
}

class Reader {
  lastId = -1;
  hasStarted = false;
  hasFailed = false;
  readonly #options: SubscribeOptions;

  constructor(options: SubscribeOptions) {
    this.#options = options;
  }

  async take(event: StreamEvent): Promise<void> {
    if (event.id <= this.lastId) return;
    this.#options.signal.throwIfAborted();
    await this.#call(() => this.#options.onEvent(event));
    this.lastId = event.id;
  }

  async skipTo(beforeId: number): Promise<void> {
    if (beforeId <= this.lastId + 1) return;
    const gap = { afterId: this.lastId, beforeId };
    await this.#call(() => this.#options.onGap?.(gap));
    this.lastId = beforeId - 1;
  }

  async #call(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}

/** An id older than the log, or one that was never assigned, starts with a gap (decisions 3.13). */
async function startReader(
  deps: SubscribeDeps,
  redis: BlockingRedis,
  reader: Reader,
  { afterId, behind = 0, onStart }: SubscribeOptions,
): Promise<void> {
  if (reader.hasStarted) return;
  if (afterId === undefined) {
    const start = await startBehind(deps, await newestId(redis, streamKey(deps.prefix)), behind);
    reader.lastId = start.afterId;
    reader.hasStarted = true;
    onStart?.(start.afterId, start.newest);
  } else {
    const { numberedId, trimmedId } = await readPosition(deps.postgres.db);
    const isKnown = afterId <= numberedId;
    reader.lastId = isKnown ? afterId : 0;
    await reader.skipTo(isKnown ? trimmedId + 1 : numberedId + 1);
    reader.hasStarted = true;
    onStart?.(reader.lastId, numberedId);
  }
}

type Start = { readonly afterId: number; readonly newest: number };

/** New events can be read without PostgreSQL; earlier ones need it, because it says how far back the log goes. */
async function startBehind(deps: SubscribeDeps, newest: number, behind: number): Promise<Start> {
  if (newest > 0 && behind === 0) return { afterId: newest, newest };
  try {
    const { relayedId, trimmedId } = await readPosition(deps.postgres.db);
    const last = newest > 0 ? newest : relayedId;
    return { afterId: Math.min(last, Math.max(trimmedId, last - behind)), newest: last };
  } catch (error) {
    if (newest > 0) return { afterId: newest, newest };
    throw error;
  }
}

async function readStream(redis: BlockingRedis, prefix: string, afterId: number): Promise<StreamEvent[]> {
  const key = streamKey(prefix);
  const args = ['XREAD', 'COUNT', String(PAGE), 'BLOCK', String(BLOCK_MS), 'STREAMS', key, `${afterId}-0`];
  const reply = await redis.command(args, BLOCK_MS + STREAM_TIMEOUT_MS);
  if (!Array.isArray(reply)) return [];
  const [stream] = reply as [unknown, unknown][];
  return parseEntries(stream?.[1]);
}

async function fillFromOutbox(deps: SubscribeDeps, reader: Reader, beforeId: number): Promise<void> {
  for (;;) {
    const events = await readEvents(deps.postgres.db, reader.lastId, beforeId - 1, PAGE);
    for (const event of events) {
      await reader.skipTo(event.id);
      await reader.take(event);
    }
    if (events.length < PAGE) break;
  }
  await reader.skipTo(beforeId);
}
