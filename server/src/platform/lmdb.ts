import { type Database, open, type RootDatabase } from 'lmdb';

/** Keys and values are bytes; each collection has its own codec. */
export type Environment = RootDatabase<Buffer, Uint8Array>;
export type ReadTransaction = ReturnType<Environment['useReadTransaction']>;
/** The package's types omit the options of `getBinary` and the result of `putSync`. */
export type Table = Omit<Database<Buffer, Uint8Array>, 'getBinary' | 'putSync'> & {
  /** A copy, which stays valid after the next read. */
  readonly getBinary: (
    key: Uint8Array,
    options?: { readonly transaction: ReadTransaction },
  ) => Buffer | undefined;
  /** False when `append` is set and the key does not come after all others. */
  readonly putSync: (key: Uint8Array, value: Uint8Array, options?: { readonly append: true }) => boolean;
};

const BYTES = { keyEncoding: 'binary', encoding: 'binary' } as const;
/** Address space and not memory: 256 GiB is four times the replica of a billion entries, so it is never remapped. */
const MAP_BYTES = 2 ** 38;
const TABLES_MAX = 64;
/** One slot of 64 bytes for each open snapshot: enough for 256 listeners with a few retired views each. */
const READERS_MAX = 4_096;

export type OpenMode =
  /** Readers write nothing except their reader slot. */
  | 'read'
  /** Every commit is on disk before it returns. */
  | 'write'
  /** Nothing is synced: the caller syncs the finished file before it is published. */
  | 'build';

/** The file mode of the data file and its lock file. The package's types omit the option. */
const OWNER_ONLY = { permissionsMode: 0o600 };

/** `path` is the data file; LMDB puts its lock file beside it. */
export const openEnvironment = (path: string, mode: OpenMode): Environment =>
  open<Buffer, Uint8Array>({
    path,
    noSubdir: true,
    maxDbs: TABLES_MAX,
    maxReaders: READERS_MAX,
    mapSize: MAP_BYTES,
    readOnly: mode === 'read',
    noSync: mode === 'build',
    // Otherwise commits would become visible before they are on disk, and recovery would depend on the boot id.
    overlappingSync: false,
    ...OWNER_ONLY,
    ...BYTES,
  });

/** The named table; a writer creates it when absent, a reader gets undefined. */
export const openTable = (environment: Environment, name: string): Table | undefined =>
  environment.openDB<Buffer, Uint8Array>({ name, ...BYTES }) as unknown as Table | undefined;

/** A snapshot of the current state, held until `done()`. Opening a table ends it, so open all tables first. */
export function beginRead(environment: Environment): ReadTransaction {
  // Otherwise the snapshot of the current event-loop turn would be returned again.
  environment.resetReadTxn();
  return environment.useReadTransaction();
}
