import { statSync } from 'node:fs';
import { openEnvironment } from '#platform/lmdb.ts';
import { DamagedBucket } from './bucket.ts';
import { dataFile, type HashType, readPointer } from './corpus-files.ts';
import { readHead } from './corpus-head.ts';
import { readBack } from './read-back.ts';

export type VerifiedPasswords = {
  readonly type: HashType;
  readonly generation: string;
  readonly entries: number;
  readonly digest: string;
  readonly isSound: boolean;
};

/** Reads all of the corpus in use and compares it with its head. Null when none is loaded. */
export async function verifyPasswords(
  dataDir: string,
  type: HashType,
  onProgress?: (done: number, entries: number) => void,
): Promise<VerifiedPasswords | null> {
  const pointer = readPointer(dataDir, type);
  if (pointer === null) return null;
  const { generation, bytes } = pointer;
  const file = dataFile(dataDir, type, generation);
  // Reading a mapped file that is too short would end the process with SIGBUS.
  if (statSync(file, { throwIfNoEntry: false })?.size !== bytes)
    return { type, generation, entries: 0, digest: '', isSound: false };
  const environment = openEnvironment(file, 'read');
  const head = readHead(environment);
  await environment.close();
  const said = { type, generation, entries: head?.entries ?? 0, digest: head?.digest ?? '' };
  if (head === null) return { ...said, isSound: false };
  try {
    const { entries, buckets, digest } = await readBack(file, head, onProgress);
    const isSound = entries === head.entries && buckets === head.buckets && digest === head.digest;
    return { ...said, isSound };
  } catch (error) {
    if (error instanceof DamagedBucket) return { ...said, isSound: false };
    throw error;
  }
}
