import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { counter, gauge } from '../metrics.ts';
import type { Db, Postgres } from '../postgres.ts';
import {
  addReader,
  lockReader,
  moveReader,
  numberVisible,
  readEventsOfTypes,
  readPosition,
  takeRelayLock,
} from './outbox.ts';
import type { StreamEvent } from './stream.ts';
import type { EventGap } from './subscribe.ts';
import { createBell, NUMBERED, onNotification } from './wake.ts';

export type DurableReaderDeps = {
  /** The system role, because the outbox holds events of all accounts. */
  readonly postgres: Postgres;
  readonly log: Log;
  readonly pollMs?: number;
};

export type ReaderSpec = {
  /** The row of `event_reader`. A renamed reader is a new one. */
  readonly name: string;
  /** Events of other types are passed over; all types when absent. */
  readonly types?: readonly string[];
  readonly batchMax?: number;
  /** Where a reader with a new name begins: with events numbered from now on, or with the oldest that is kept. */
  readonly from?: 'newest' | 'start';
  /**
   * Runs in the transaction that moves the cursor, so that what it writes and the cursor commit together. It never waits
   * for anything but PostgreSQL: an open transaction that is idle for 10 s is ended.
   */
  readonly handle: (tx: Db, events: readonly StreamEvent[]) => Promise<void>;
  /** Events after `afterId` and before `beforeId` were deleted unread, because the reader was 7 days late. */
  readonly onGap?: (tx: Db, gap: EventGap) => Promise<void>;
};

export type DurableReader = {
  /** Resolves once everything committed before the call is handled. */
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const POLL_MS = 1_000;
const BATCH_MAX = 500;
const RETRY_MS = 500;
const NUMBER_MAX = 5_000;

const behind = gauge({
  name: 'event_reader_behind',
  help: 'Events numbered and not yet handled by a durable reader.',
  labels: ['reader'],
});
const gaps = counter({
  name: 'event_reader_gaps_total',
  help: 'Times a durable reader missed events that were deleted before it read them.',
  labels: ['reader'],
});
const failures = counter({
  name: 'event_reader_failures_total',
  help: 'Batches a durable reader failed to handle and will read again.',
  labels: ['reader'],
});

/**
 * Reads the numbered outbox from a named cursor in PostgreSQL. Every worker may run one under the same name; the lock of
 * its row lets one of them work at a time. A batch that fails or is killed is read again, because its cursor did not move.
 */
export function readDurably(deps: DurableReaderDeps, reader: ReaderSpec): DurableReader {
  const { postgres, log } = deps;
  const stopping = new AbortController();
  const bell = createBell();
  let isKnown = false;
  const know = async (): Promise<void> => {
    if (isKnown) return;
    await addReader(postgres.db, reader.name, reader.from ?? 'newest');
    isKnown = true;
  };
  const readAll = async (isWaiting: boolean): Promise<void> => {
    await know();
    while ((await readBatch(deps, reader, isWaiting)) === 'more' && !stopping.signal.aborted);
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await readAll(false);
        await bell.wait(deps.pollMs ?? POLL_MS, stopping.signal);
      } catch (error) {
        failures.inc({ reader: reader.name });
        log.warn({ err: error, reader: reader.name }, 'events.reader.waiting');
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  })();
  const quiet = onNotification(postgres, NUMBERED, bell.ring, log);
  return {
    flush: async () => {
      await know();
      while ((await numberAll(postgres)) > 0);
      await readAll(true);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([running, quiet()]);
    },
  };
}

const numberAll = (postgres: Postgres): Promise<number> =>
  postgres.transaction(async (tx) => {
    await takeRelayLock(tx);
    return numberVisible(tx, NUMBER_MAX);
  });

/** `more`: the batch was full, or the cursor moved and something may have come since. */
async function readBatch(
  { postgres, log }: DurableReaderDeps,
  reader: ReaderSpec,
  isWaiting: boolean,
): Promise<'more' | 'done'> {
  const { name, types, batchMax = BATCH_MAX } = reader;
  return postgres.transaction(async (tx) => {
    const row = await lockReader(tx, name, isWaiting);
    if (row === null) return 'done';
    const { numberedId } = await readPosition(tx);
    if (row.lostId > row.readId) {
      const gap = { afterId: row.readId, beforeId: row.lostId + 1 };
      gaps.inc({ reader: name });
      log.error({ reader: name, ...gap }, 'events.reader.gap');
      await reader.onGap?.(tx, gap);
    }
    const span = { afterId: row.readId, throughId: numberedId, rowsMax: batchMax, types };
    const events = numberedId > row.readId ? await readEventsOfTypes(tx, span) : [];
    const isFull = events.length >= batchMax;
    const readId = isFull ? (events.at(-1)?.id ?? numberedId) : Math.max(numberedId, row.readId);
    if (events.length > 0) await reader.handle(tx, events);
    if (readId !== row.readId || row.lostId > 0) await moveReader(tx, name, readId);
    behind.set({ reader: name }, numberedId - readId);
    return isFull ? 'more' : 'done';
  });
}
