import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { counter, gauge } from '../metrics.ts';
import type { Db, Postgres } from '../postgres.ts';
import type { BlockingRedis } from '../redis.ts';
import {
  numberVisible,
  readEvents,
  readPosition,
  savePosition,
  takeRelayLock,
  tryRelayLock,
} from './outbox.ts';
import {
  newestId,
  STREAM_EVENTS_MAX,
  STREAM_TIMEOUT_MS,
  type StreamEvent,
  type StreamRedis,
  streamKey,
} from './stream.ts';
import { createBell, onNotification, WRITTEN } from './wake.ts';

export type RelayOptions = {
  /** The system role, because the outbox holds events of all accounts. */
  readonly postgres: Postgres;
  readonly redis: StreamRedis;
  readonly prefix: string;
  readonly log: Log;
  readonly pollMs?: number;
};

export type Relay = {
  /** Resolves once everything committed before the call is in the stream. */
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const POLL_MS = 1_000;
const NUMBER_MAX = 5_000;
const BATCH = 200;
const RETRY_MS = 500;

const relayed = counter({ name: 'events_relayed_total', help: 'Events written to the stream.' });
const backlog = gauge({ name: 'events_backlog', help: 'Events numbered and not yet in the stream.' });

/** One atomic call for each batch. An id that is already in the stream is skipped, so sending twice changes nothing. */
const APPEND = `
local top = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local last = top[1] and tonumber(string.match(top[1][1], '^%d+')) or 0
local added = 0
for i = 2, #ARGV, 2 do
  if tonumber(ARGV[i]) > last then
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], ARGV[i] .. '-0', 'event', ARGV[i + 1])
    added = added + 1
  end
end
return added`;

/**
 * Copies the outbox into the stream. Every worker runs one; a lock for each step lets one of them work at a time.
 * While Redis is unreachable it waits and loses nothing; a stream that lost its end is filled again from the outbox.
 */
export function createRelay(options: RelayOptions): Relay {
  const { postgres, log } = options;
  const stopping = new AbortController();
  const redis = options.redis.duplicateBlocking(streamKey(options.prefix));
  const bell = createBell();
  const moveAll = async (lock: Lock): Promise<void> => {
    while ((await relayStep(options, redis, lock)) > 0 && !stopping.signal.aborted);
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await moveAll(tryRelayLock);
        await bell.wait(options.pollMs ?? POLL_MS, stopping.signal);
      } catch (error) {
        log.warn({ err: error }, 'events.relay.waiting');
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  })();
  const quiet = onNotification(postgres, WRITTEN, bell.ring, log);
  return {
    flush: () => moveAll(takeRelayLock),
    stop: async () => {
      stopping.abort();
      await Promise.all([running, quiet()]);
      redis.close();
    },
  };
}

type Lock = (tx: Db) => Promise<boolean>;

/** Numbers and sends in two transactions, so that a failure of Redis does not undo the numbering. */
async function relayStep(options: RelayOptions, redis: BlockingRedis, lock: Lock): Promise<number> {
  const { postgres } = options;
  await postgres.transaction(async (tx) => {
    if (await lock(tx)) await numberVisible(tx, NUMBER_MAX);
  });
  return postgres.transaction(async (tx) => ((await lock(tx)) ? sendBatch(options, redis, tx) : 0));
}

async function sendBatch({ prefix, log }: RelayOptions, redis: BlockingRedis, tx: Db): Promise<number> {
  const key = streamKey(prefix);
  const { numberedId, relayedId } = await readPosition(tx);
  let newest = await newestId(redis, key);
  if (newest > numberedId) {
    // The stream is ahead of the outbox: PostgreSQL was restored to an earlier time, so the stream is discarded.
    log.error({ newest, numberedId }, 'events.stream.discarded');
    await redis.command(['DEL', key], STREAM_TIMEOUT_MS);
    newest = 0;
  }
  if (newest < relayedId) log.warn({ newest, relayedId }, 'events.stream.refilling');
  const afterId = Math.max(newest, numberedId - STREAM_EVENTS_MAX);
  const events = await readEvents(tx, afterId, numberedId, BATCH);
  if (events.length > 0) await append(redis, key, events);
  const upTo = events.at(-1)?.id ?? numberedId;
  await savePosition(tx, upTo);
  backlog.set(numberedId - upTo);
  relayed.inc(events.length);
  return events.length;
}

function append(redis: BlockingRedis, key: string, events: readonly StreamEvent[]): Promise<unknown> {
  const fields = events.flatMap(({ id, ...body }) => [String(id), JSON.stringify(body)]);
  return redis.command(['EVAL', APPEND, '1', key, String(STREAM_EVENTS_MAX), ...fields], STREAM_TIMEOUT_MS);
}
