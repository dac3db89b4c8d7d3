import { type Database, open, type RootDatabase } from 'lmdb';

/** Keys and values are bytes: the codecs belong to whoever defines a collection. */
export type Environment = RootDatabase<Buffer, Uint8Array>;
/** A snapshot that a reader holds; `done()` lets its pages be reused. */
export type ReadTransaction = ReturnType<Environment['useReadTransaction']>;
/** The package's own types leave out the options of `getBinary` and the answer of `putSync`. */
export type Table = Omit<Database<Buffer, Uint8Array>, 'getBinary' | 'putSync'> & {
  /** A copy: it stays valid after the next read. */
  readonly getBinary: (
    key: Uint8Array,
    options?: { readonly transaction: ReadTransaction },
  ) => Buffer | undefined;
  /** False when `append` was asked for and the key does not come after all others. */
  readonly putSync: (key: Uint8Array, value: Uint8Array, options?: { readonly append: true }) => boolean;
};

const BYTES = { keyEncoding: 'binary', encoding: 'binary' } as const;
/** Address space, not memory: 256 GiB is four times the replica of a billion entries and never needs a remap. */
const MAP_BYTES = 2 ** 38;
const TABLES_MAX = 64;
/** One slot of 64 bytes for each open snapshot: 256 listeners with a few retired views each. */
const READERS_MAX = 4_096;

export type OpenMode =
  /** Readers never create, change or lock anything but their reader slot. */
  | 'read'
  /** Every commit is on disk before it returns. */
  | 'write'
  /** Nothing is synced: the caller syncs the finished file before anybody is told of it. */
  | 'build';

/** `path` is the data file itself; LMDB puts its lock file beside it. */
export const openEnvironment = (path: string, mode: OpenMode): Environment =>
  open<Buffer, Uint8Array>({
    path,
    noSubdir: true,
    maxDbs: TABLES_MAX,
    maxReaders: READERS_MAX,
    mapSize: MAP_BYTES,
    readOnly: mode === 'read',
    noSync: mode === 'build',
    // Commits would become visible before they are on disk, and recovery would depend on the boot id.
    overlappingSync: false,
    ...BYTES,
  });

/** The named table, created by a writer when absent; a reader gets undefined instead. */
export const openTable = (environment: Environment, name: string): Table | undefined =>
  environment.openDB<Buffer, Uint8Array>({ name, ...BYTES }) as unknown as Table | undefined;

/** A snapshot of this very moment, held until `done()`. Opening a table ends it: open all tables first. */
export function beginRead(environment: Environment): ReadTransaction {
  // Without this the snapshot of the current event-loop turn would be handed out again.
  environment.resetReadTxn();
  return environment.useReadTransaction();
}
