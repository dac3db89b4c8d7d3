import { readFile } from 'node:fs/promises';
import type { AttackIndex } from '#domain/techniques/index.ts';
import type { Artifacts } from '#platform/artifacts.ts';
import type { Log } from '#platform/log.ts';
import { isPostgresAway, type Postgres } from '#platform/postgres.ts';
import { readKnownVersions, writeKnownVersions } from './known-versions.ts';
import type { NetworkBook } from './network-book.ts';
import {
  type Edition,
  EMPTY_EDITION,
  editionOf,
  type Networks,
  type OpenedReference,
  openReference,
  versionOf,
} from './open-edition.ts';
import { newestVersions, type ReferenceVersion, versionsAt } from './store.ts';

/** The local reference data of one process; swapped as a whole when newer data is loaded. */
export type Enrichment = {
  readonly book: () => NetworkBook;
  /** The data of a past moment, as far as it is kept (180 days). */
  readonly bookAt: (ms: number) => Promise<NetworkBook>;
  readonly attack: () => AttackIndex | null;
  readonly attackAt: (ms: number) => Promise<AttackIndex | null>;
  /** Null: no table of networks is loaded. */
  readonly networks: () => Networks | null;
  readonly close: () => Promise<void>;
};

export type EnrichmentOptions = {
  readonly postgres: Pick<Postgres, 'db'>;
  readonly artifacts: Artifacts;
  readonly dataDir: string;
  readonly log: Log;
  readonly pollMs?: number;
};

const POLL_MS = 15_000;
const PAST_MAX = 4;

/**
 * Opens the current files, and checks for newer ones every 15 seconds. Without PostgreSQL it continues with the files
 * it has, and starts with those that this node last had. A file that cannot be opened leaves the previous one in use.
 */
export async function openEnrichment(options: EnrichmentOptions): Promise<Enrichment> {
  const { postgres, log, dataDir } = options;
  const state: State = { edition: EMPTY_EDITION, inForce: '', opened: [] };
  await refresh(options, state, true);
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= refresh(options, state, false).finally(() => {
      running = null;
    });
  }, options.pollMs ?? POLL_MS).unref();
  log.debug({ dataDir, version: state.edition.book.version }, 'reference.opened');
  const editionAt = pastEditions(options, state);
  const at = (ms: number): Promise<Edition> => versionsAt(postgres.db, ms).then(editionAt);
  return {
    book: () => state.edition.book,
    bookAt: async (ms) => (await at(ms)).book,
    attack: () => state.edition.attack,
    attackAt: async (ms) => (await at(ms)).attack,
    networks: () => state.edition.networks,
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

type State = {
  edition: Edition;
  /** Identifies the versions that were current at the last check; '' when one could not be opened. */
  inForce: string;
  opened: readonly OpenedReference[];
};

async function refresh(options: EnrichmentOptions, state: State, isStart: boolean): Promise<void> {
  const { postgres, log, dataDir } = options;
  try {
    const rows = await newestVersions(postgres.db);
    await swap(options, state, rows);
    await writeKnownVersions(dataDir, rows);
  } catch (error) {
    log.warn({ err: error }, isPostgresAway(error) ? 'reference.offline' : 'reference.failed');
    if (isStart) await swap(options, state, await readKnownVersions(dataDir));
  }
}

async function swap(
  options: EnrichmentOptions,
  state: State,
  rows: readonly ReferenceVersion[],
): Promise<void> {
  const inForce = versionOf(rows);
  if (inForce === state.inForce) return;
  const opened: OpenedReference[] = [];
  let isWhole = true;
  for (const row of rows) {
    const before = state.opened.find(({ kind }) => kind === row.kind);
    const now = isSame(before, row) ? before : await openRow(options, row);
    if (now === null) isWhole = false;
    const kept = now ?? before;
    if (kept !== undefined) opened.push(kept);
  }
  // Nothing is awaited from here on, so a lookup sees the old files or the new ones, never a mixture.
  state.opened = opened;
  state.edition = editionOf(opened);
  // A file that could not be opened is tried again at the next check.
  state.inForce = isWhole ? inForce : '';
  options.log.info(
    { version: state.edition.book.version, kinds: opened.map(({ kind }) => kind), isWhole },
    'reference.swapped',
  );
}

const isSame = (
  opened: OpenedReference | undefined,
  { sha256, dataAtMs }: ReferenceVersion,
): opened is OpenedReference =>
  opened !== undefined && opened.row.sha256 === sha256 && opened.row.dataAtMs === dataAtMs;

/** Null: it cannot be fetched or opened now; the log says why. */
async function openRow(
  { artifacts, log }: EnrichmentOptions,
  row: ReferenceVersion,
): Promise<OpenedReference | null> {
  try {
    const file = await artifacts.openArtifact(row.artifact);
    if (file === null) throw new Error('The file is not in the artifact store.');
    return openReference(row, await readFile(file.path));
  } catch (error) {
    log.error({ err: error, kind: row.kind, version: row.version }, 'reference.unreadable');
    return null;
  }
}

/** Caches the last four past editions; the current one needs no cache. */
function pastEditions(
  options: EnrichmentOptions,
  state: State,
): (rows: readonly ReferenceVersion[]) => Promise<Edition> {
  const past = new Map<string, Promise<Edition>>();
  const open = async (rows: readonly ReferenceVersion[]): Promise<Edition> => {
    const opened = await Promise.all(
      rows.map(
        async (row) => state.opened.find((each) => isSame(each, row)) ?? (await openRow(options, row)),
      ),
    );
    const readable = opened.filter((each) => each !== null);
    if (readable.length < rows.length) throw new Error('Reference data of that time cannot be opened.');
    return editionOf(readable);
  };
  return (rows) => {
    const version = versionOf(rows);
    if (version === state.edition.book.version) return Promise.resolve(state.edition);
    const known = past.get(version) ?? open(rows);
    // Moved to the end, so that the first one is the least recently used.
    past.delete(version);
    past.set(version, known);
    known.catch(() => past.delete(version));
    const [oldest] = past.keys();
    if (past.size > PAST_MAX && oldest !== undefined) past.delete(oldest);
    return known;
  };
}
