import { SHIPPED_BOOK, type WeightBook } from '#domain/weights/index.ts';
import type { Artifacts } from '#platform/artifacts.ts';
import type { Log } from '#platform/log.ts';
import { gauge } from '#platform/metrics.ts';
import { isPostgresAway, type Postgres } from '#platform/postgres.ts';
import { readKnownVersion, writeKnownVersion } from './known-version.ts';
import { readVersion } from './read-version.ts';
import { heldVersion, newestVersion, versionAt, type WeightVersion } from './store.ts';

/** The weights of one process; swapped as a whole when a newer version is in force. */
export type Weights = {
  readonly book: () => WeightBook;
  /** Opens the version in force now instead of at the next look. */
  readonly refresh: () => Promise<void>;
  /** The weights in force at a past moment; null: model 2 was in force then. */
  readonly bookAt: (ms: number) => Promise<WeightBook | null>;
  readonly close: () => Promise<void>;
};

export type WeightsOptions = {
  readonly postgres: Pick<Postgres, 'db'>;
  readonly artifacts: Pick<Artifacts, 'openArtifact'>;
  readonly dataDir: string;
  readonly log: Log;
  readonly pollMs?: number;
};

const held = gauge({ name: 'weights_held', help: '1 while a version of the weights waits for an operator.' });
const POLL_MS = 15_000;
/** The most books of past moments in memory; each takes about 200 KB. */
const PAST_MAX = 8;

/**
 * Opens the version in force and checks for a newer one every 15 seconds. Without PostgreSQL it continues with what it has, and
 * starts with what this node last had. A node that never had one uses the shipped table.
 */
export async function openWeightBooks(options: WeightsOptions): Promise<Weights> {
  const state: State = { book: SHIPPED_BOOK };
  await refresh(options, state, true);
  let running: Promise<void> | null = null;
  const look = (): Promise<void> => {
    running ??= refresh(options, state, false).finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void look(), options.pollMs ?? POLL_MS).unref();
  const past = new Map<string, Promise<WeightBook>>();
  return {
    book: () => state.book,
    refresh: look,
    bookAt: async (ms) => {
      const row = await versionAt(options.postgres.db, ms);
      if (row === null) return null;
      return row.digest === state.book.digest ? state.book : openPast(options, past, row);
    },
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

type State = { book: WeightBook };

async function refresh(options: WeightsOptions, state: State, isStart: boolean): Promise<void> {
  const { postgres, artifacts, log, dataDir } = options;
  try {
    held.set((await heldVersion(postgres.db)) === null ? 0 : 1);
    const row = await newestVersion(postgres.db);
    const book = row === null || row.digest === state.book.digest ? null : await readVersion(artifacts, row);
    if (row === null || book === null || book.digest === state.book.digest) return;
    state.book = book;
    await writeKnownVersion(dataDir, row);
    log.info({ version: book.version, digest: book.digest }, 'weights.swapped');
  } catch (error) {
    log.warn({ err: error }, isPostgresAway(error) ? 'weights.offline' : 'weights.failed');
    if (isStart) await startFromKnown(options, state);
  }
}

async function startFromKnown({ artifacts, dataDir, log }: WeightsOptions, state: State): Promise<void> {
  const row = await readKnownVersion(dataDir);
  if (row === null) return;
  try {
    state.book = await readVersion(artifacts, row);
  } catch (error) {
    log.error({ err: error, version: row.version }, 'weights.unreadable');
  }
}

/** The book of a past version; the most recently used ones stay in memory. */
function openPast(
  options: WeightsOptions,
  past: Map<string, Promise<WeightBook>>,
  row: WeightVersion,
): Promise<WeightBook> {
  const known = past.get(row.digest) ?? readVersion(options.artifacts, row);
  past.delete(row.digest);
  past.set(row.digest, known);
  known.catch(() => past.delete(row.digest));
  const [oldest] = past.keys();
  if (past.size > PAST_MAX && oldest !== undefined) past.delete(oldest);
  return known;
}
