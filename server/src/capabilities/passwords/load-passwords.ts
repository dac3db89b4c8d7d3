import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { type Environment, openEnvironment, openTable, type Table } from '#platform/lmdb.ts';
import { tryLock } from '#platform/replica/exclusive.ts';
import { bucketKey, checkedEntries, packBucket } from './bucket.ts';
import {
  abandonGeneration,
  beginGeneration,
  type HashType,
  loaderLock,
  publishGeneration,
  removeOtherGenerations,
} from './corpus-files.ts';
import { BUCKETS, type CorpusHead, readHead, writeHead } from './corpus-head.ts';
import { HashLines, PasswordsRefused } from './hash-lines.ts';

export type LoadOptions = {
  readonly dataDir: string;
  readonly file: string;
  readonly type: HashType;
  /** The date of the data; when absent, the date of the file. Never the time of loading (scoring ruling 1). */
  readonly dataAtMs?: number;
  readonly nowMs: number;
  /** Called after each piece, because a full corpus is 40 GB of text. */
  readonly onProgress?: (progress: LoadProgress) => void;
};

export type LoadProgress = {
  readonly entries: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
};

export type LoadedPasswords = {
  readonly type: HashType;
  readonly generation: string;
  readonly entries: number;
  readonly corpusUpdatedAt: string;
};

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const READ_BYTES = 1_048_576;
/** About 40 MB of pages at 950 hashes per bucket: the memory of one transaction of a build. */
const BUCKETS_A_TRANSACTION = 4_096;

/**
 * Reads a list of breached password hashes into a corpus beside the one in use, verifies it and swaps. A failure before
 * the swap leaves the corpus in use; running processes follow within a second.
 */
export async function loadPasswords(options: LoadOptions): Promise<LoadedPasswords> {
  const { dataDir, type } = options;
  const lock = tryLock(loaderLock(dataDir, type));
  if (lock === null)
    throw new PasswordsRefused('Another load of this corpus is running. Nothing was changed.');
  try {
    const inspected = await inspect(options);
    const { updatedAt } = inspected;
    const building = beginGeneration(dataDir, type);
    try {
      const built = await build(options, building.file, inspected);
      await verify(building.file, built);
      publishGeneration(dataDir, type, building);
      removeOtherGenerations(dataDir, type, building.generation);
      return { type, generation: building.generation, entries: built.entries, corpusUpdatedAt: updatedAt };
    } catch (error) {
      abandonGeneration(dataDir, type, building);
      throw error;
    }
  } finally {
    lock.release();
  }
}

type Inspected = { readonly updatedAt: string; readonly isPacked: boolean; readonly bytes: number };

async function inspect({ file, dataAtMs, nowMs }: LoadOptions): Promise<Inspected> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw new PasswordsRefused(`'${file}' cannot be read: ${(error as Error).message}`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new PasswordsRefused(`'${file}' is not a file.`);
    const start = Buffer.alloc(GZIP_MAGIC.length);
    await handle.read(start, 0, start.length, 0);
    const atMs = dataAtMs ?? Math.min(stat.mtimeMs, nowMs);
    if (atMs > nowMs) throw new PasswordsRefused('The date of the corpus lies in the future.');
    return { updatedAt: new Date(atMs).toISOString(), isPacked: start.equals(GZIP_MAGIC), bytes: stat.size };
  } finally {
    await handle.close();
  }
}

async function build(
  { file, type, onProgress }: LoadOptions,
  target: string,
  { updatedAt: corpusUpdatedAt, isPacked, bytes: bytesTotal }: Inspected,
): Promise<CorpusHead> {
  const environment = openEnvironment(target, 'build');
  try {
    const writer = new BucketWriter(environment);
    const lines = new HashLines(type, (prefix, suffix, count) => writer.add(prefix, suffix, count));
    const read = createReadStream(file, { highWaterMark: READ_BYTES });
    for await (const piece of bytesOf(read, isPacked)) {
      lines.read(piece);
      writer.writeFull();
      onProgress?.({ entries: writer.entries, bytesDone: read.bytesRead, bytesTotal });
    }
    lines.end();
    writer.end();
    const head = { type, entries: writer.entries, buckets: writer.buckets, corpusUpdatedAt };
    writeHead(environment, head);
    return head;
  } finally {
    await environment.close();
  }
}

async function* bytesOf(read: ReadStream, isPacked: boolean): AsyncGenerator<Buffer> {
  if (!isPacked) {
    yield* read;
    return;
  }
  const unpacked = createGunzip({ chunkSize: READ_BYTES });
  read.on('error', (error) => unpacked.destroy(error));
  try {
    yield* read.pipe(unpacked);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'Z_BUF_ERROR')
      throw new PasswordsRefused('The packed file ends too early: it was cut off. Download it again.');
    if (String((error as { code?: unknown }).code).startsWith('Z_'))
      throw new PasswordsRefused('The packed file is damaged. Download it again.');
    throw error;
  } finally {
    read.destroy();
  }
}

/** Collects the hashes of one prefix and writes whole buckets, many per transaction. */
class BucketWriter {
  readonly #environment: Environment;
  readonly #table: Table;
  #full: { readonly key: Buffer; readonly value: Buffer }[] = [];
  #prefix = -1;
  #suffixes: number[] = [];
  #counts: number[] = [];
  entries = 0;
  buckets = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
    const table = openTable(environment, BUCKETS);
    if (table === undefined) throw new Error('The password corpus cannot be written.');
    this.#table = table;
  }

  add(prefix: number, suffix: number, count: number): void {
    if (prefix !== this.#prefix) this.#close();
    this.#prefix = prefix;
    const last = this.#suffixes.length - 1;
    // Two hashes with the same 17 digits cannot be distinguished later, so the higher count is kept.
    if (suffix === this.#suffixes[last]) this.#counts[last] = Math.max(count, this.#counts[last] ?? 0);
    else {
      this.#suffixes.push(suffix);
      this.#counts.push(count);
      this.entries += 1;
    }
  }

  writeFull(): void {
    if (this.#full.length >= BUCKETS_A_TRANSACTION) this.#write();
  }

  end(): void {
    this.#close();
    this.#write();
  }

  #close(): void {
    if (this.#suffixes.length === 0) return;
    this.#full.push({ key: bucketKey(this.#prefix), value: packBucket(this.#suffixes, this.#counts) });
    this.buckets += 1;
    [this.#suffixes, this.#counts] = [[], []];
  }

  #write(): void {
    const full = this.#full;
    this.#full = [];
    this.#environment.transactionSync(() => {
      for (const { key, value } of full)
        if (!this.#table.putSync(key, value, { append: true }))
          throw new Error('The prefixes of a password corpus are not ascending.');
    });
  }
}

/** Reads the written file back once, so that a faulty disk is detected before the corpus is used. */
async function verify(file: string, built: CorpusHead): Promise<void> {
  const environment = openEnvironment(file, 'read');
  try {
    const head = readHead(environment);
    const table = openTable(environment, BUCKETS);
    let [entries, buckets] = [0, 0];
    for (const { value } of table?.getRange({}) ?? []) {
      entries += checkedEntries(value as Buffer);
      buckets += 1;
    }
    const isWhole = head?.entries === built.entries && entries === built.entries && buckets === built.buckets;
    if (!isWhole)
      throw new Error('The written password corpus differs from its source. Nothing was changed.');
  } finally {
    await environment.close();
  }
}
