import { readFile } from 'node:fs/promises';
import type { Artifacts } from '#platform/artifacts.ts';
import type { Log } from '#platform/log.ts';
import { isPostgresAway, type Postgres } from '#platform/postgres.ts';
import { readKnownVersion, writeKnownVersion } from './known-version.ts';
import { NO_SIGNAL_BOOK, type SignalBook, signalBookOf } from './signal-book.ts';
import { openSignals } from './signal-file.ts';
import { newestVersion, type SignalVersion, versionAt } from './store.ts';

/** The signals of one process; swapped as a whole when a newer training is in force. */
export type Signals = {
  readonly book: () => SignalBook;
  /** Opens the newest training now instead of at the next look. */
  readonly refresh: () => Promise<void>;
  /** The signals in force at a past moment; before the first training there were none. */
  readonly bookAt: (ms: number) => Promise<SignalBook>;
  readonly close: () => Promise<void>;
};

export type SignalsOptions = {
  readonly postgres: Pick<Postgres, 'db'>;
  readonly artifacts: Artifacts;
  readonly dataDir: string;
  readonly log: Log;
  readonly pollMs?: number;
};

const POLL_MS = 15_000;
/** The most signal books of past moments in memory; each takes about 6 MB. */
const PAST_MAX = 3;

/**
 * Opens the newest training and checks for a newer one every 15 seconds. Without PostgreSQL it continues with what it
 * has, and starts with what this node last had. Without any training there are no signals.
 */
export async function openSignalBooks(options: SignalsOptions): Promise<Signals> {
  const state: State = { book: NO_SIGNAL_BOOK };
  await refresh(options, state, true);
  let running: Promise<void> | null = null;
  const look = (): Promise<void> => {
    running ??= refresh(options, state, false).finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void look(), options.pollMs ?? POLL_MS).unref();
  const past = new Map<string, Promise<SignalBook>>();
  return {
    book: () => state.book,
    refresh: look,
    bookAt: async (ms) => {
      const row = await versionAt(options.postgres.db, ms);
      if (row === null) return NO_SIGNAL_BOOK;
      return row.version === state.book.version ? state.book : openPast(options, past, row);
    },
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

type State = { book: SignalBook };

async function refresh(options: SignalsOptions, state: State, isStart: boolean): Promise<void> {
  const { postgres, log, dataDir } = options;
  try {
    const row = await newestVersion(postgres.db);
    if (row === null || row.version === state.book.version) return;
    state.book = await openRow(options, row);
    await writeKnownVersion(dataDir, row);
    log.info({ version: row.version }, 'signals.swapped');
  } catch (error) {
    log.warn({ err: error }, isPostgresAway(error) ? 'signals.offline' : 'signals.failed');
    if (isStart) await startFromKnown(options, state);
  }
}

async function startFromKnown(options: SignalsOptions, state: State): Promise<void> {
  const row = await readKnownVersion(options.dataDir);
  if (row === null) return;
  try {
    state.book = await openRow(options, row);
  } catch (error) {
    options.log.error({ err: error, version: row.version }, 'signals.unreadable');
  }
}

async function openRow({ artifacts }: SignalsOptions, row: SignalVersion): Promise<SignalBook> {
  const file = await artifacts.openArtifact(row.artifact);
  if (file === null) throw new Error(`The signals of version ${row.version} are not in the artifact store.`);
  return signalBookOf(row.version, await openSignals(await readFile(file.path)));
}

/** The book of a past version; the most recently used ones stay in memory. */
function openPast(
  options: SignalsOptions,
  past: Map<string, Promise<SignalBook>>,
  row: SignalVersion,
): Promise<SignalBook> {
  const known = past.get(row.version) ?? openRow(options, row);
  past.delete(row.version);
  past.set(row.version, known);
  known.catch(() => past.delete(row.version));
  const [oldest] = past.keys();
  if (past.size > PAST_MAX && oldest !== undefined) past.delete(oldest);
  return known;
}
