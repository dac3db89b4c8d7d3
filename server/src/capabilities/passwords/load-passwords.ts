import { setImmediate as turn } from 'node:timers/promises';
import { type Environment, openEnvironment, openTable } from '#platform/lmdb.ts';
import { tryLock } from '#platform/replica/exclusive.ts';
import { BucketWriter, lastPrefix } from './bucket-writer.ts';
import {
  abandonBuilding,
  beginBuilding,
  buildingFile,
  type HashType,
  loaderLock,
  publishBuilding,
  removeOtherGenerations,
} from './corpus-files.ts';
import { BUCKETS, type CorpusHead, type Coverage, prefixText, WHOLE, writeHead } from './corpus-head.ts';
import { HashLines, PasswordsRefused } from './hash-lines.ts';
import { type HashLists, inspectLists } from './hash-lists.ts';
import { type Contents, readBack, refuseIncomplete } from './read-back.ts';

export type LoadOptions = {
  readonly dataDir: string;
  /** Ordered files that follow each other, or folders with one file for each prefix. */
  readonly paths: readonly string[];
  readonly type: HashType;
  /** Loads only these prefixes; absent: all. */
  readonly partial?: Coverage;
  /** The date of the data; when absent, the date of the files. Never the time of loading (scoring ruling 1). */
  readonly dataAtMs?: number;
  readonly nowMs: number;
  /** Called after each piece, because a full corpus is 40 GB of text. */
  readonly onProgress?: (progress: LoadProgress) => void;
};

export type LoadProgress = {
  readonly step: 'reading' | 'verifying';
  readonly entries: number;
  /** Progress out of `total`, in bytes of files or in prefixes. */
  readonly done: number;
  readonly total: number;
  /** Prefixes up to this one were there from a load that was interrupted; null: it began from the start. */
  readonly resumedAfter: string | null;
};

export type LoadedPasswords = {
  readonly type: HashType;
  readonly generation: string;
  readonly entries: number;
  readonly corpusUpdatedAt: string;
  readonly first: string;
  readonly last: string;
  readonly digest: string;
  readonly resumedAfter: string | null;
};

/**
 * Reads lists of breached password hashes into a corpus beside the one in use, verifies it and swaps. A failure before
 * the swap leaves the corpus in use; running processes follow within a second. A load that was killed goes on with the
 * prefix after the last one that it wrote, when the lists are the same.
 */
export async function loadPasswords(options: LoadOptions): Promise<LoadedPasswords> {
  const { dataDir, type } = options;
  const lock = tryLock(loaderLock(dataDir, type));
  if (lock === null)
    throw new PasswordsRefused('Another load of this corpus is running. Nothing was changed.');
  try {
    const coverage = options.partial ?? WHOLE;
    const lists = inspectLists(options.paths, type, coverage);
    const corpusUpdatedAt = dateOf(options, lists);
    beginBuilding(dataDir, type, lists.plan);
    try {
      const resumedAfter = await build(options, lists, coverage);
      const contents = await verify(options, coverage, resumedAfter);
      const { widestGap: _, ...sums } = contents;
      await finish(dataDir, type, { type, corpusUpdatedAt, ...coverage, ...sums });
      const { digest, entries } = contents;
      const generation = publishBuilding(dataDir, type, digest);
      removeOtherGenerations(dataDir, type, generation);
      const [first, last] = [prefixText(coverage.first), prefixText(coverage.last)];
      return { type, generation, entries, corpusUpdatedAt, first, last, digest, resumedAfter };
    } catch (error) {
      abandonBuilding(dataDir, type);
      throw error;
    }
  } finally {
    lock.release();
  }
}

function dateOf({ dataAtMs, nowMs }: LoadOptions, { modifiedAtMs }: HashLists): string {
  const atMs = dataAtMs ?? Math.min(modifiedAtMs, nowMs);
  if (atMs > nowMs) throw new PasswordsRefused('The date of the corpus lies in the future.');
  return new Date(atMs).toISOString();
}

/** Every commit is on disk before the next one begins, so a killed load or machine leaves whole buckets. */
async function build(
  { dataDir, type, onProgress }: LoadOptions,
  lists: HashLists,
  coverage: Coverage,
): Promise<string | null> {
  const environment = openEnvironment(buildingFile(dataDir, type), 'write');
  try {
    const table = openTable(environment, BUCKETS);
    if (table === undefined) throw new Error('The password corpus cannot be written.');
    const last = lastPrefix(table);
    const resumedAfter = last === null ? null : prefixText(last);
    const wanted: Coverage = { first: last === null ? coverage.first : last + 1, last: coverage.last };
    const writer = new BucketWriter(environment, table, wanted);
    const lines = new HashLines(type, (prefix, suffix, count) => writer.add(prefix, suffix, count));
    const onPiece = async (done: number, total: number): Promise<boolean> => {
      writer.writeFull();
      onProgress?.({ step: 'reading', entries: writer.entries, done, total, resumedAfter });
      await turn();
      return writer.isPast;
    };
    if (wanted.first <= wanted.last) await lists.read({ lines, wanted, onPiece });
    writer.end();
    return resumedAfter;
  } finally {
    await environment.close();
  }
}

async function verify(
  { dataDir, type, onProgress }: LoadOptions,
  coverage: Coverage,
  resumedAfter: string | null,
): Promise<Contents> {
  const contents = await readBack(buildingFile(dataDir, type), coverage, (done, entries) =>
    onProgress?.({ step: 'verifying', entries, done, total: WHOLE.last + 1, resumedAfter }),
  );
  refuseIncomplete(contents);
  return contents;
}

/** Written after all buckets were read back, so that a corpus with a head is a whole one. */
async function finish(dataDir: string, type: HashType, head: CorpusHead): Promise<void> {
  const environment: Environment = openEnvironment(buildingFile(dataDir, type), 'write');
  try {
    writeHead(environment, head);
  } finally {
    await environment.close();
  }
}
