import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, syncToDisk } from '#platform/replace-file.ts';

/**
 * DATA_DIR/passwords/<type>/CURRENT              names the corpus in use
 *                          /g000000002/data.mdb  a whole corpus, never changed again
 *                          /g000000003.building  unfinished, removed by the next load
 *                          /loader.lock          held during a load
 */
export const HASH_TYPES = ['sha1', 'ntlm'] as const;
export type HashType = (typeof HASH_TYPES)[number];
export const HASH_DIGITS: Readonly<Record<HashType, number>> = { sha1: 40, ntlm: 32 };

export type Pointer = {
  readonly generation: string;
  /** Size of the data file. Mapping a shorter one would end the process with SIGBUS instead of answering. */
  readonly bytes: number;
};

const GENERATION = /^g(\d{9})$/;
const ANY_GENERATION = /^g(\d{9})(?:\.building)?$/;

export const corpusFolder = (dataDir: string, type: HashType): string => join(dataDir, 'passwords', type);
export const loaderLock = (dataDir: string, type: HashType): string =>
  join(corpusFolder(dataDir, type), 'loader.lock');
export const dataFile = (dataDir: string, type: HashType, generation: string): string =>
  join(corpusFolder(dataDir, type), generation, 'data.mdb');
const pointerFile = (dataDir: string, type: HashType): string => join(corpusFolder(dataDir, type), 'CURRENT');

/** Null when there is no readable pointer. */
export function readPointer(dataDir: string, type: HashType): Pointer | null {
  try {
    const pointer = JSON.parse(readFileSync(pointerFile(dataDir, type), 'utf8')) as Pointer;
    return GENERATION.test(pointer.generation) && Number.isSafeInteger(pointer.bytes) ? pointer : null;
  } catch {
    return null;
  }
}

/** Changes with every swap; cheaper than reading the pointer each second. Empty when there is no pointer. */
export function pointerStamp(dataDir: string, type: HashType): string {
  const stat = statSync(pointerFile(dataDir, type), { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
}

export type Building = { readonly generation: string; readonly file: string };

/** Creates a new empty folder and removes unfinished ones of killed loads. */
export function beginGeneration(dataDir: string, type: HashType): Building {
  const folder = corpusFolder(dataDir, type);
  const names = namesIn(folder);
  for (const name of names) if (name.endsWith('.building')) removeFolder(folder, name);
  // Numbers are never reused, so that an open process cannot mistake a new folder for its own.
  const numbers = [readPointer(dataDir, type)?.generation ?? '', ...names].map((name) =>
    Number(ANY_GENERATION.exec(name)?.[1] ?? 0),
  );
  const generation = `g${String(Math.max(0, ...numbers) + 1).padStart(9, '0')}`;
  const building = join(folder, `${generation}.building`);
  mkdirSync(building, { recursive: true });
  return { generation, file: join(building, 'data.mdb') };
}

/** The data is on disk before it gets its name, and has its name before the pointer refers to it. */
export function publishGeneration(dataDir: string, type: HashType, { generation, file }: Building): void {
  const folder = corpusFolder(dataDir, type);
  syncToDisk(file);
  renameSync(join(folder, `${generation}.building`), join(folder, generation));
  syncToDisk(folder);
  const bytes = statSync(dataFile(dataDir, type, generation)).size;
  replaceFile(pointerFile(dataDir, type), `${JSON.stringify({ generation, bytes } satisfies Pointer)}\n`);
}

export const abandonGeneration = (dataDir: string, type: HashType, { generation }: Building): void =>
  removeFolder(corpusFolder(dataDir, type), `${generation}.building`);

/** A process that still maps an old corpus keeps its file until it switches, within a second. */
export function removeOtherGenerations(dataDir: string, type: HashType, kept: string): void {
  const folder = corpusFolder(dataDir, type);
  for (const name of namesIn(folder))
    if (ANY_GENERATION.test(name) && name !== kept) removeFolder(folder, name);
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

const removeFolder = (folder: string, name: string): void =>
  rmSync(join(folder, name), { recursive: true, force: true });
