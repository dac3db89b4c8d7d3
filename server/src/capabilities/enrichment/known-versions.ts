import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { REFERENCE_KINDS } from './compile-reference.ts';
import type { ReferenceVersion } from './store.ts';

const Known = z.array(
  z.object({
    kind: z.enum(REFERENCE_KINDS),
    version: z.string().max(12),
    artifact: z.string().max(128),
    sha256: z.string().max(64),
    bytes: z.number(),
    dataAtMs: z.number(),
    loadedAtMs: z.number(),
    name: z.string().max(200),
    attribution: z.string().max(2_000).nullable(),
    details: z.record(z.string().max(64), z.number()),
  }),
);

const fileOf = (dataDir: string): string => join(dataDir, 'reference', 'in-force.json');

/** The versions that this node last knew to be current, so that it can start without PostgreSQL (reliability R2). */
export async function readKnownVersions(dataDir: string): Promise<readonly ReferenceVersion[]> {
  try {
    return Known.parse(JSON.parse(await readFile(fileOf(dataDir), 'utf8')));
  } catch {
    return [];
  }
}

/** Written to a temporary file and renamed, because the processes of a node share the file. */
export async function writeKnownVersions(dataDir: string, rows: readonly ReferenceVersion[]): Promise<void> {
  await mkdir(join(dataDir, 'reference'), { recursive: true });
  const partial = `${fileOf(dataDir)}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, JSON.stringify(rows), { flush: true });
    await rename(partial, fileOf(dataDir));
  } finally {
    await rm(partial, { force: true });
  }
}
