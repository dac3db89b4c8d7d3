import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { WeightVersion } from './store.ts';

const Known = z.object({
  version: z.string().max(32),
  digest: z.string().max(8),
  artifact: z.string().max(128).nullable(),
});
export type KnownVersion = Pick<WeightVersion, 'version' | 'digest' | 'artifact'>;

const fileOf = (dataDir: string): string => join(dataDir, 'weights', 'in-force.json');

/** The version that this node last knew to be in force, so that it can start without PostgreSQL (reliability R2). */
export async function readKnownVersion(dataDir: string): Promise<KnownVersion | null> {
  try {
    return Known.parse(JSON.parse(await readFile(fileOf(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

/** Written to a temporary file and renamed, because the processes of a node share the file. */
export async function writeKnownVersion(dataDir: string, row: KnownVersion): Promise<void> {
  const { version, digest, artifact } = row;
  await mkdir(join(dataDir, 'weights'), { recursive: true });
  const partial = `${fileOf(dataDir)}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, JSON.stringify({ version, digest, artifact }), { flush: true });
    await rename(partial, fileOf(dataDir));
  } finally {
    await rm(partial, { force: true });
  }
}
