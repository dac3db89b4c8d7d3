import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile, syncToDisk } from '../replace-file.ts';

/**
 * DATA_DIR/replica/<dataset>/CURRENT           which generation listeners use
 *                           /g000000007/        data.mdb, data.mdb-lock, writer.lock
 *                           /g000000008.building  unfinished, removed at the next start
 *                           /g000000006.bad       failed verification, never opened again
 */
export type Pointer = {
  /** Null when the generation in use was withdrawn and there is no replacement yet. */
  readonly generation: string | null;
  /** The replicator start that verified it (exclusive.ts). */
  readonly attestedBy: string;
  readonly verifiedAtMs: number;
};

const GENERATION = /^g(\d{9})$/;
const ANY_GENERATION = /^g(\d{9})(\.building|\.bad)?$/;
const KEPT = 2;

export const replicaFolder = (dataDir: string): string => join(dataDir, 'replica');
export const datasetFolder = (dataDir: string, dataset: string): string => join(dataDir, 'replica', dataset);
export const generationFolder = (dataDir: string, dataset: string, generation: string): string =>
  join(datasetFolder(dataDir, dataset), generation);
export const buildingFolder = (dataDir: string, dataset: string, generation: string): string =>
  `${generationFolder(dataDir, dataset, generation)}.building`;
export const dataFile = (folder: string): string => join(folder, 'data.mdb');
export const writerLock = (folder: string): string => join(folder, 'writer.lock');
export const pointerFile = (dataDir: string, dataset: string): string =>
  join(datasetFolder(dataDir, dataset), 'CURRENT');

export function readPointer(dataDir: string, dataset: string): Pointer | null {
  try {
    const pointer = JSON.parse(readFileSync(pointerFile(dataDir, dataset), 'utf8')) as Pointer;
    const named = pointer.generation === null || GENERATION.test(pointer.generation);
    return named && typeof pointer.attestedBy === 'string' ? pointer : null;
  } catch {
    return null;
  }
}

export const writePointer = (dataDir: string, dataset: string, pointer: Pointer): void =>
  replaceFile(pointerFile(dataDir, dataset), `${JSON.stringify(pointer)}\n`);

export function listGenerations(dataDir: string, dataset: string): string[] {
  return namesIn(dataDir, dataset)
    .filter((name) => GENERATION.test(name))
    .sort()
    .reverse();
}

/** Numbers are never reused, so that a listener cannot mistake a new folder for an old one. */
export function nextGeneration(dataDir: string, dataset: string): string {
  const pointed = readPointer(dataDir, dataset)?.generation ?? '';
  const numbers = [pointed, ...namesIn(dataDir, dataset)].map((name) =>
    Number(ANY_GENERATION.exec(name)?.[1] ?? 0),
  );
  return `g${String(Math.max(0, ...numbers) + 1).padStart(9, '0')}`;
}

/** Turns the building folder into a generation; its file is synced before it is renamed. */
export function finishGeneration(dataDir: string, dataset: string, generation: string): string {
  const building = buildingFolder(dataDir, dataset, generation);
  const finished = generationFolder(dataDir, dataset, generation);
  syncFile(dataFile(building));
  syncToDisk(building);
  renameSync(building, finished);
  syncToDisk(dirname(finished));
  return finished;
}

/** Hides the generation from new readers; current readers keep their open file. */
export function condemnGeneration(dataDir: string, dataset: string, generation: string): void {
  const folder = generationFolder(dataDir, dataset, generation);
  if (existsSync(folder)) renameSync(folder, `${folder}.bad`);
}

/** Removes the unfinished folders of a killed predecessor, at start. */
export function removeUnfinished(dataDir: string, dataset: string): void {
  for (const name of namesIn(dataDir, dataset))
    if (name.endsWith('.building')) removeFolder(dataDir, dataset, name);
}

/**
 * Keeps the current generation and the one before it. `isRead` checks LMDB's reader table, so a listener that has not
 * moved on yet keeps its generation until the next sweep.
 */
export async function removeOldGenerations(
  dataDir: string,
  dataset: string,
  isRead: (folder: string) => Promise<boolean>,
): Promise<void> {
  const current = readPointer(dataDir, dataset)?.generation ?? null;
  const finished = listGenerations(dataDir, dataset);
  const kept = new Set([current, ...finished.filter((name) => name !== current).slice(0, KEPT - 1)]);
  const candidates = [
    ...finished.filter((name) => !kept.has(name)),
    ...namesIn(dataDir, dataset).filter((name) => name.endsWith('.bad')),
  ];
  for (const name of candidates) {
    const folder = generationFolder(dataDir, dataset, name);
    // A condemned file is never opened again, not even to check for readers; a reader that maps it keeps the inode.
    if (name.endsWith('.bad') || !(await isRead(folder))) removeFolder(dataDir, dataset, name);
  }
}

export const fileBytes = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

const removeFolder = (dataDir: string, dataset: string, name: string): void =>
  rmSync(generationFolder(dataDir, dataset, name), { recursive: true, force: true });

const namesIn = (dataDir: string, dataset: string): string[] => {
  const folder = datasetFolder(dataDir, dataset);
  return existsSync(folder) ? readdirSync(folder) : [];
};

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}
