import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, syncToDisk } from '#platform/replace-file.ts';

/**
 * DATA_DIR/passwords/<type>/CURRENT                       names the corpus in use
 *                          /g000000002-1f0c9a55/data.mdb  a whole corpus, never changed again
 *                          /building/data.mdb, PLAN       unfinished; the next load of the same lists goes on with it
 *                          /loader.lock                   held during a load
 */
export const HASH_TYPES = ['sha1', 'ntlm'] as const;
export type HashType = (typeof HASH_TYPES)[number];
export const HASH_DIGITS: Readonly<Record<HashType, number>> = { sha1: 40, ntlm: 32 };

export type Pointer = {
  readonly generation: string;
  /** Size of the data file. Mapping a shorter one would end the process with SIGBUS instead of answering. */
  readonly bytes: number;
};

/** The number and the start of the digest, so that folders of two nodes have one name only for one content. */
const GENERATION = /^g(\d{9})-[0-9a-f]{8}$/;
const ANY_GENERATION = /^g(\d{9})(?:-[0-9a-f]{8}|\.building)?$/;
const [DATA, PLAN] = ['data.mdb', 'PLAN'];

export const corpusFolder = (dataDir: string, type: HashType): string => join(dataDir, 'passwords', type);
export const loaderLock = (dataDir: string, type: HashType): string =>
  join(corpusFolder(dataDir, type), 'loader.lock');
export const dataFile = (dataDir: string, type: HashType, generation: string): string =>
  join(corpusFolder(dataDir, type), generation, DATA);
const pointerFile = (dataDir: string, type: HashType): string => join(corpusFolder(dataDir, type), 'CURRENT');
const buildingFolder = (dataDir: string, type: HashType): string =>
  join(corpusFolder(dataDir, type), 'building');
export const buildingFile = (dataDir: string, type: HashType): string =>
  join(buildingFolder(dataDir, type), DATA);
const planFile = (dataDir: string, type: HashType): string => join(buildingFolder(dataDir, type), PLAN);

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

/** The lists that an unfinished build was made from; null when there is none that can go on. */
export function readPlan(dataDir: string, type: HashType): string | null {
  try {
    return existsSync(buildingFile(dataDir, type)) ? readFileSync(planFile(dataDir, type), 'utf8') : null;
  } catch {
    return null;
  }
}

/** True when an unfinished build of the same plan goes on; any other one is removed. */
export function beginBuilding(dataDir: string, type: HashType, plan: string): boolean {
  if (readPlan(dataDir, type) === plan) return true;
  abandonBuilding(dataDir, type);
  replaceFile(planFile(dataDir, type), plan);
  return false;
}

export const abandonBuilding = (dataDir: string, type: HashType): void =>
  rmSync(buildingFolder(dataDir, type), { recursive: true, force: true });

/** The data is on disk before it gets its name, and has its name before the pointer refers to it. */
export function publishBuilding(dataDir: string, type: HashType, digest: string): string {
  const folder = corpusFolder(dataDir, type);
  // Numbers are never reused, so that an open process cannot mistake a new folder for its own.
  const numbers = [readPointer(dataDir, type)?.generation ?? '', ...readdirSync(folder)].map((name) =>
    Number(ANY_GENERATION.exec(name)?.[1] ?? 0),
  );
  const number = String(Math.max(0, ...numbers) + 1).padStart(9, '0');
  const generation = `g${number}-${digest.slice(0, 8)}`;
  syncToDisk(buildingFile(dataDir, type));
  renameSync(buildingFolder(dataDir, type), join(folder, generation));
  rmSync(join(folder, generation, PLAN), { force: true });
  syncToDisk(folder);
  const bytes = statSync(dataFile(dataDir, type, generation)).size;
  replaceFile(pointerFile(dataDir, type), `${JSON.stringify({ generation, bytes } satisfies Pointer)}\n`);
  return generation;
}

/** A process that still maps an old corpus keeps its file until it switches, within a second. */
export function removeOtherGenerations(dataDir: string, type: HashType, kept: string): void {
  const folder = corpusFolder(dataDir, type);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (ANY_GENERATION.test(name) && name !== kept)
      rmSync(join(folder, name), { recursive: true, force: true });
}
