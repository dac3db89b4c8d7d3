import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { counter } from '#platform/metrics.ts';
import { isPostgresAway, type Postgres } from '#platform/postgres.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import type { Observation, Observations, ObservedPage } from '../observation.ts';
import {
  countByPivot,
  countBySubject,
  newestByPivot,
  newestBySubject,
  type SeenObservation,
  upsertObservations,
} from './store.ts';

const FLUSH_MS = 2_000;
const BATCH_ROWS = 500;
/** Some 3 MB of text. If PostgreSQL is down longer than it takes to fill, the oldest are dropped. */
const WAITING_MAX = 10_000;
const FIELD_MAX = 256;
const TYPE_MAX = 16;
/** Counts stop here: this many index entries are read in 60 ms on a busy machine. */
const COUNT_MAX = 100_000;
const LIMIT_MAX = 1_000;
/** Recently written observations are not written again; the database would leave the row unchanged. */
const WRITTEN_MAX = 20_000;
const WRITTEN_FOR_MS = HOUR_MS;

const rows = counter({
  name: 'observations_total',
  help: 'Observed relations, by outcome.',
  labels: ['outcome'],
});

export type ObservationsDeps = {
  readonly postgres: Pick<Postgres, 'db'>;
  readonly log: Log;
  readonly clock: Clock;
};

export function createObservations({ postgres, log, clock }: ObservationsDeps): Observations {
  const waiting = new Map<string, SeenObservation>();
  const written = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> | null = null;
  let isAway = false;

  const flushBatch = async (): Promise<void> => {
    const batch = [...waiting].slice(0, BATCH_ROWS);
    let outcome = 'written';
    try {
      await upsertObservations(
        postgres.db,
        batch.map(([, row]) => row),
      );
    } catch (error) {
      if (isPostgresAway(error)) throw error;
      // The batch would always fail in the same way and block everything behind it.
      log.error({ err: error, rows: batch.length }, 'observations.refused');
      outcome = 'refused';
    }
    for (const [key] of batch) {
      waiting.delete(key);
      remember(written, key, clock.monotonic());
    }
    rows.inc({ outcome }, batch.length);
  };
  const flush = async (): Promise<void> => {
    try {
      while (waiting.size > 0) await flushBatch();
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ err: error, waiting: waiting.size }, 'observations.not_written');
      isAway = true;
    } finally {
      flushing = null;
      if (waiting.size > 0) schedule();
    }
  };
  const start = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    flushing ??= flush();
    return flushing;
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void start(), FLUSH_MS).unref();
  };

  return {
    record: (observations) => {
      for (const observation of observations) take({ waiting, written, clock }, observation);
      if (waiting.size >= BATCH_ROWS && !isAway) void start();
      else if (waiting.size > 0) schedule();
    },
    byPivot: (relation, pivot, limit) =>
      page(newestByPivot(postgres.db, relation, pivot, Math.min(limit, LIMIT_MAX)), limit, () =>
        countByPivot(postgres.db, relation, pivot, COUNT_MAX),
      ),
    bySubject: (relation, subject, limit) =>
      page(newestBySubject(postgres.db, relation, subject, Math.min(limit, LIMIT_MAX)), limit, () =>
        countBySubject(postgres.db, relation, subject, COUNT_MAX),
      ),
    close: async () => {
      await flushing;
      await start();
      if (timer !== null) clearTimeout(timer);
    },
  };
}

type Outcome = 'refused' | 'known' | 'dropped' | 'taken';
type Held = {
  readonly waiting: Map<string, SeenObservation>;
  readonly written: Map<string, number>;
  readonly clock: Clock;
};

function take(buffer: Held, observation: Observation): void {
  const outcome = outcomeOf(buffer, observation);
  if (outcome !== 'taken') rows.inc({ outcome });
  if (outcome === 'refused' || outcome === 'known') return;
  const { waiting, clock } = buffer;
  if (outcome === 'dropped') dropOldest(waiting);
  waiting.set(keyOf(observation), { ...observation, seenAtMs: clock.now() });
}

/** `dropped` means that an older observation was dropped to make room. */
function outcomeOf({ waiting, written, clock }: Held, observation: Observation): Outcome {
  const { pivot, subject, recordType } = observation;
  const key = keyOf(observation);
  const isStorable =
    [pivot, subject].every((field) => field !== '' && field.length <= FIELD_MAX) &&
    recordType.length <= TYPE_MAX;
  // PostgreSQL text cannot hold NUL, which would fail the whole batch.
  if (!isStorable || key.includes('\0')) return 'refused';
  const writtenAtMs = written.get(key) ?? Number.NEGATIVE_INFINITY;
  if (waiting.has(key) || clock.monotonic() - writtenAtMs < WRITTEN_FOR_MS) return 'known';
  return waiting.size >= WAITING_MAX ? 'dropped' : 'taken';
}

const keyOf = ({ relation, pivot, subject, recordType }: Observation): string =>
  `${relation}\n${pivot}\n${subject}\n${recordType}`;

function dropOldest(kept: Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}

function remember(written: Map<string, number>, key: string, atMs: number): void {
  written.delete(key);
  if (written.size >= WRITTEN_MAX) dropOldest(written);
  written.set(key, atMs);
}

/** The total is counted only when the rows filled the page. */
async function page(
  read: Promise<ObservedPage['rows']>,
  limit: number,
  count: () => Promise<number>,
): Promise<ObservedPage> {
  const found = await read;
  return { rows: found, total: found.length < Math.min(limit, LIMIT_MAX) ? found.length : await count() };
}
