import { closeSync, opendirSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PREFIXES } from './bucket.ts';
import type { HashType } from './corpus-files.ts';
import { type Coverage, prefixText } from './corpus-head.ts';
import { type HashLines, PasswordsRefused } from './hash-lines.ts';
import { MAGIC_BYTES, openList, type Packing, packingOf, unpackSmall } from './unpack.ts';

/** The lists that an operator names: ordered files that follow each other, or folders with a file for each prefix. */
export type HashLists = {
  /** Equal for equal lists, so that an unfinished build of the same lists can go on. */
  readonly plan: string;
  /** The date of the newest file or folder. */
  readonly modifiedAtMs: number;
  readonly read: (options: ReadOptions) => Promise<void>;
};

export type ReadOptions = {
  readonly lines: HashLines;
  /** The prefixes to load; a file may hold more. */
  readonly wanted: Coverage;
  /** Called after each piece; true ends the reading. */
  readonly onPiece: (done: number, total: number) => Promise<boolean>;
};

type Listed = { readonly path: string; readonly stat: Stats };

export function inspectLists(paths: readonly string[], type: HashType, wanted: Coverage): HashLists {
  const listed = paths.map(inspect);
  const folders = listed.filter(({ stat }) => stat.isDirectory());
  if (folders.length > 0 && folders.length < listed.length)
    throw new PasswordsRefused('Give files or folders, not both.');
  const stamps = listed.map(({ path, stat }) => [resolve(path), stat.size, stat.mtimeMs]);
  return {
    plan: `${JSON.stringify({ type, first: wanted.first, last: wanted.last, lists: stamps })}\n`,
    modifiedAtMs: Math.max(...listed.map(({ stat }) => stat.mtimeMs)),
    read: folders.length > 0 ? rangeReader(paths, wanted) : fileReader(listed),
  };
}

function inspect(path: string): Listed {
  try {
    const stat = statSync(path);
    if (!stat.isDirectory()) closeSync(openSync(path, 'r'));
    return { path, stat };
  } catch (error) {
    throw new PasswordsRefused(`'${path}' cannot be read: ${(error as Error).message}`);
  }
}

function fileReader(listed: readonly Listed[]): HashLists['read'] {
  const total = listed.reduce((bytes, { stat }) => bytes + stat.size, 0);
  return async ({ lines, wanted, onPiece }) => {
    let before = 0;
    for (const { path, stat } of listed) {
      const isDone = await naming(path, listed.length > 1, async () => {
        const packing = readPacking(path);
        const start = packing === 'plain' ? offsetOf(path, stat.size, wanted.first) : 0;
        const { pieces, bytesRead } = openList(path, packing, start);
        lines.beginList(start);
        for await (const piece of pieces) {
          lines.read(piece);
          if (await onPiece(before + bytesRead(), total)) return true;
        }
        lines.end();
        return false;
      });
      if (isDone) return;
      before += stat.size;
    }
  };
}

function readPacking(path: string): Packing {
  const start = Buffer.alloc(MAGIC_BYTES);
  readAt(path, start, 0);
  return packingOf(start);
}

function readAt(path: string, into: Buffer, position: number): Buffer {
  const opened = openSync(path, 'r');
  try {
    return into.subarray(0, readSync(opened, into, 0, into.length, position));
  } finally {
    closeSync(opened);
  }
}

const SEARCH_BYTES = 65_536;
const LINE_BYTES = 256;
const FIRST_LINE = /\n([0-9a-f]{5})/i;

/**
 * Finds a line start at or before the first hash of `prefix` by binary search, so that a resumed load does not read
 * what it has. 0 when the file is not as expected; the reader then says what is wrong with it.
 */
function offsetOf(path: string, size: number, prefix: number): number {
  let [low, high] = [0, size];
  const window = Buffer.alloc(LINE_BYTES);
  while (prefix > 0 && high - low > SEARCH_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const found = FIRST_LINE.exec(readAt(path, window, middle).toString('latin1'));
    if (found === null) return 0;
    if (Number.parseInt(found[1] ?? '', 16) < prefix) low = middle + found.index + 1;
    else high = middle;
  }
  return low;
}

const RANGE_NAME = /^([0-9A-F]{5}|[0-9a-f]{5})((?:\.txt)?(?:\.gz|\.zst)?)$/;
const NAMINGS_MAX = 255;
/** After this many files the event loop gets a turn, so that timers can print the progress. */
const FILES_A_TURN = 64;

function rangeReader(folders: readonly string[], wanted: Coverage): HashLists['read'] {
  const { namings, namingOf } = findRanges(folders);
  const missing: number[] = [];
  for (let prefix = wanted.first; prefix <= wanted.last; prefix += 1)
    if (namingOf[prefix] === 0) missing.push(prefix);
  const [first] = missing;
  const total = wanted.last - wanted.first + 1;
  if (first !== undefined)
    throw new PasswordsRefused(
      `${missing.length} of ${total} range files are missing, the first is ${prefixText(first)}. Download them, or load a part with --partial.`,
    );
  return async ({ lines, wanted: { first: from, last }, onPiece }) => {
    for (let prefix = from; prefix <= last; prefix += 1) {
      const path = pathOf(namings[(namingOf[prefix] as number) - 1] as Naming, prefix);
      await naming(path, true, () => {
        lines.beginRange(prefix);
        lines.read(unpackSmall(readFileSync(path)));
        lines.end();
      });
      const isTurn = prefix % FILES_A_TURN === 0 || prefix === last;
      if (isTurn && (await onPiece(prefix - wanted.first + 1, total))) return;
    }
  };
}

/** How the files of a folder are named; the case of the digits is the downloader's choice. */
type Naming = { readonly folder: string; readonly isUpper: boolean; readonly ending: string };

function pathOf({ folder, isUpper, ending }: Naming, prefix: number): string {
  const text = prefixText(prefix);
  return join(folder, `${isUpper ? text : text.toLowerCase()}${ending}`);
}

/** Stores for each prefix the number of its file's naming in a byte (0: no file); a million names would take 100 MB. */
function findRanges(folders: readonly string[]): {
  readonly namings: readonly Naming[];
  readonly namingOf: Uint8Array;
} {
  const namings: Naming[] = [];
  const numbers = new Map<string, number>();
  const namingOf = new Uint8Array(PREFIXES);
  for (const folder of folders)
    for (const name of namesIn(folder)) {
      const [, digits, ending = ''] = RANGE_NAME.exec(name) ?? [];
      if (digits === undefined) continue;
      const prefix = Number.parseInt(digits, 16);
      if (namingOf[prefix] !== 0)
        throw new PasswordsRefused(`There are two range files for ${prefixText(prefix)}.`);
      const isUpper = digits === digits.toUpperCase();
      const key = `${isUpper} ${ending} ${folder}`;
      if (!numbers.has(key)) numbers.set(key, namings.push({ folder, isUpper, ending }));
      namingOf[prefix] = numbers.get(key) ?? 0;
    }
  if (namings.length > NAMINGS_MAX)
    throw new PasswordsRefused('The range files have too many kinds of names.');
  return { namings, namingOf };
}

function* namesIn(folder: string): Generator<string> {
  const opened = opendirSync(folder, { bufferSize: 4_096 });
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) yield entry.name;
  } finally {
    opened.closeSync();
  }
}

/** Puts the file's name before the message of a refusal, if there are several files. */
async function naming<T>(path: string, isNamed: boolean, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isNamed || !(error instanceof PasswordsRefused)) throw error;
    throw new PasswordsRefused(`${basename(path)}: ${error.message}`);
  }
}
