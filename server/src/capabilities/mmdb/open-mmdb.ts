import { open, readFile } from 'node:fs/promises';
import { type Metadata, parseMetadata } from 'mmdb-lib/lib/metadata.js';
import type { Artifacts, OpenedArtifact } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { ARTIFACT } from './build-mmdb.ts';
import { readState } from './store.ts';

/** One version of the database on this node. */
export type MmdbOnNode = {
  readonly file: OpenedArtifact;
  readonly metadata: Metadata;
  /** The bytes of the file, kept in memory while callers ask for them; null when they exceed `memoryMb`. */
  readonly bytes: () => Promise<Buffer | null>;
};

export type Mmdb = {
  /** Null until the database was built once. */
  readonly find: () => MmdbOnNode | null;
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type OpenMmdbOptions = {
  readonly postgres: Pick<Postgres, 'db'>;
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  readonly log: Log;
  /** Largest file that is kept in memory; a larger one is read from the disk for each download. */
  readonly memoryMb: number;
  readonly pollMs?: number;
};

const MEGABYTE = 1024 * 1024;
const POLL_MS = 10_000;
const IDLE_MS = 600_000;
const TAIL_BYTES = 131_072;

/**
 * Opens the newest file and looks for a newer one every ten seconds. Without PostgreSQL it goes on with what it has, and
 * starts with the file of this node.
 */
export async function openMmdb(options: OpenMmdbOptions): Promise<Mmdb> {
  let opened: (MmdbOnNode & { readonly forget: () => void }) | null = null;
  let builtAtMs: number | null = null;
  const look = async (): Promise<void> => {
    try {
      const state = await readState(options.postgres.db).catch(() => null);
      // Without PostgreSQL the file of this node is opened; with it nothing is there before the first build.
      if (state !== null && state.builtAtMs === builtAtMs) return;
      if (state === null && opened !== null) return;
      const file = await options.artifacts.openArtifact(ARTIFACT);
      if (file === null) return;
      builtAtMs = state?.builtAtMs ?? null;
      if (file.sha256 === opened?.file.sha256) return;
      opened = { file, metadata: await readMetadata(file), ...keepBytes(file, options) };
      options.log.info({ bytes: file.bytes, nodes: opened.metadata.nodeCount }, 'mmdb.opened');
    } catch (error) {
      options.log.error({ err: error }, 'mmdb.unreadable');
    }
  };
  await look();
  let running: Promise<void> | null = null;
  const refresh = (): Promise<void> => {
    opened?.forget();
    running ??= look().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void refresh(), options.pollMs ?? POLL_MS).unref();
  return {
    find: () => opened,
    refresh,
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** The metadata is at the end of a file, and at most 128 KiB long by its format. */
async function readMetadata({ path, bytes }: OpenedArtifact): Promise<Metadata> {
  const file = await open(path);
  try {
    const tail = Buffer.alloc(Math.min(bytes, TAIL_BYTES));
    await file.read(tail, 0, tail.length, bytes - tail.length);
    return parseMetadata(tail);
  } finally {
    await file.close();
  }
}

/** Reads the file at its first download, and frees the memory after ten minutes without one. */
function keepBytes(
  { path, bytes }: OpenedArtifact,
  { clock, memoryMb }: OpenMmdbOptions,
): { readonly bytes: () => Promise<Buffer | null>; readonly forget: () => void } {
  let reading: Promise<Buffer> | null = null;
  let askedAtMs = 0;
  return {
    bytes: async () => {
      if (bytes > memoryMb * MEGABYTE) return null;
      askedAtMs = clock.monotonic();
      reading ??= readFile(path).catch((error: unknown) => {
        reading = null;
        throw error;
      });
      return reading;
    },
    forget: () => {
      if (clock.monotonic() - askedAtMs >= IDLE_MS) reading = null;
    },
  };
}
