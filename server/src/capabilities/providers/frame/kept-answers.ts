import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { counter } from '#platform/metrics.ts';
import type { Postgres } from '#platform/postgres.ts';
import {
  deleteLiveAnswers,
  findLiveAnswer,
  type LiveAnswerRow,
  upsertLiveAnswers,
} from '../live-answer-store.ts';

/** Last good answers in PostgreSQL. An outage of PostgreSQL delays nothing; there is only less to fall back on. */
export type KeptAnswers = {
  /** Null also when PostgreSQL is down or busy. Never rejects. */
  readonly find: (provider: string, key: string) => Promise<LiveAnswerRow | null>;
  /** Written in a batch within about a second. */
  readonly keep: (row: LiveAnswerRow) => void;
  readonly forget: (provider: string, key: string) => void;
  readonly close: () => Promise<void>;
};

export type KeptAnswersDeps = {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Log;
};

/** Limit of live lookups, because requests share the same few connections. A read takes 1 ms. */
const READS_MAX = 2;
const READS_WAITING_MAX = 500;
/** After a failure nothing is tried for this long, because each try would wait a second for a connection. */
const PAUSE_MS = 5_000;
const FLUSH_MS = 1_000;
const BATCH_MAX = 200;
const WAITING_MAX = 2_000;

const dropped = counter({
  name: 'live_answers_unkept_total',
  help: 'Last good answers that were not written to PostgreSQL: too many were pending, or it was down.',
});

type Change = { readonly provider: string; readonly key: string; readonly row: LiveAnswerRow | null };

export function createKeptAnswers({ postgres, clock, log }: KeptAnswersDeps): KeptAnswers {
  const waiting = new Map<string, Change>();
  const readers: (() => void)[] = [];
  let reads = 0;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const failed = (error: unknown, what: string) => {
    pausedUntilMs = clock.monotonic() + PAUSE_MS;
    log.warn({ err: error }, what);
  };
  const isPaused = () => clock.monotonic() < pausedUntilMs;

  const write = async (): Promise<void> => {
    const batch = [...waiting].slice(0, BATCH_MAX);
    for (const [id] of batch) waiting.delete(id);
    const changes = batch.map(([, change]) => change);
    const rows = changes.flatMap(({ row }) => (row === null ? [] : [row]));
    const gone = changes.filter(({ row }) => row === null);
    try {
      if (rows.length > 0) await upsertLiveAnswers(postgres.db, rows);
      if (gone.length > 0) await deleteLiveAnswers(postgres.db, gone);
    } catch (error) {
      dropped.inc(changes.length);
      failed(error, 'live.answers.unkept');
    }
  };
  const flush = (): Promise<void> => {
    timer = undefined;
    writing ??= write().finally(() => {
      writing = null;
      if (waiting.size > 0) schedule();
    });
    return writing;
  };
  const schedule = () => {
    timer ??= setTimeout(() => void flush(), Math.max(FLUSH_MS, pausedUntilMs - clock.monotonic()));
    timer.unref();
  };
  const add = (change: Change) => {
    const id = `${change.provider} ${change.key}`;
    const oldest = waiting.keys().next().value;
    if (waiting.size >= WAITING_MAX && oldest !== undefined && !waiting.has(id)) {
      waiting.delete(oldest);
      dropped.inc();
    }
    waiting.set(id, change);
    schedule();
  };

  return {
    find: async (provider, key) => {
      const unwritten = waiting.get(`${provider} ${key}`);
      if (unwritten !== undefined) return unwritten.row;
      if (isPaused() || readers.length >= READS_WAITING_MAX) return null;
      if (reads < READS_MAX) reads += 1;
      else await new Promise<void>((resolve) => readers.push(resolve));
      try {
        return isPaused() ? null : await findLiveAnswer(postgres.db, provider, key, clock.now());
      } catch (error) {
        failed(error, 'live.answers.unreadable');
        return null;
      } finally {
        const next = readers.shift();
        if (next === undefined) reads -= 1;
        else next();
      }
    },
    keep: (row) => add({ provider: row.provider, key: row.key, row }),
    forget: (provider, key) => add({ provider, key, row: null }),
    close: async () => {
      clearTimeout(timer);
      await writing;
      while (waiting.size > 0 && !isPaused()) await write();
      clearTimeout(timer);
    },
  };
}
