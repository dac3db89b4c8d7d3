import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { sha256OfFile } from '../sha256.ts';
import type { Artifact, Chunks } from './store.ts';

export type Cache = {
  readonly file: (artifact: Artifact, chunks: () => Promise<Chunks>) => Promise<string>;
  readonly newestKnown: (name: string) => Promise<Artifact | null>;
};

const KEPT = 2;
/** Younger files are kept: another process may have written the file but not its index yet. */
const YOUNG_MS = 600_000;
const SHA256 = /^[0-9a-f]{64}$/;

/** The versions of a name in this folder, newest first, so that a node can start while PostgreSQL is unreachable. */
const Index = z.array(
  z.object({
    name: z.string().max(128),
    sha256: z.string().regex(SHA256),
    bytes: z.number(),
    createdAt: z.string().max(40),
  }),
);

/** `<dataDir>/artifacts/<sha256>`, shared by the processes of a node. Deleting the folder only costs a new download. */
export function openCache(dataDir: string, log: Log, clock: Clock): Cache {
  const folder = join(dataDir, 'artifacts');
  const indexes = join(folder, 'names');
  /** The file's attributes when its bytes were last verified; a file with other attributes is read again. */
  const verified = new Map<string, string>();
  const fetching = new Map<string, Promise<string>>();

  async function isIntact(path: string, artifact: Artifact): Promise<boolean> {
    const looks = await looksOf(path);
    if (looks === null) return false;
    if (verified.get(path) === looks) return true;
    if ((await sha256OfFile(path)).sha256 !== artifact.sha256) {
      log.error({ artifact: artifact.name, path }, 'artifact.corrupted');
      return false;
    }
    verified.set(path, looks);
    return true;
  }

  async function fetchVerified(
    artifact: Artifact,
    path: string,
    open: () => Promise<Chunks>,
  ): Promise<string> {
    await mkdir(indexes, { recursive: true });
    if (!(await isIntact(path, artifact))) {
      const partial = join(folder, `${artifact.sha256}.${randomUUID()}.partial`);
      try {
        await download(artifact, partial, await open());
        await rename(partial, path);
      } finally {
        await rm(partial, { force: true });
      }
      const looks = await looksOf(path);
      if (looks !== null) verified.set(path, looks);
      log.info({ artifact: artifact.name, bytes: artifact.bytes }, 'artifact.fetched');
    }
    await remember(artifact);
    return path;
  }

  async function remember(artifact: Artifact): Promise<void> {
    const known = await readIndex(indexes, artifact.name);
    if (known[0]?.sha256 === artifact.sha256) return;
    const kept = [artifact, ...known.filter((each) => each.sha256 !== artifact.sha256)].slice(0, KEPT);
    const partial = join(indexes, `${artifact.name}.${randomUUID()}.partial`);
    await writeFile(partial, JSON.stringify(kept), { flush: true });
    await rename(partial, join(indexes, `${artifact.name}.json`));
    await removeUnnamed(folder, indexes, clock.now() - YOUNG_MS);
  }

  return {
    file: async (artifact, chunks) => {
      const path = join(folder, artifact.sha256);
      const running = fetching.get(path) ?? fetchVerified(artifact, path, chunks);
      fetching.set(path, running);
      try {
        return await running;
      } finally {
        if (fetching.get(path) === running) fetching.delete(path);
      }
    },
    newestKnown: async (name) => (await readIndex(indexes, name))[0] ?? null,
  };
}

/** Writes a file under a temporary name, verified and synced; the caller renames it, so the final file is complete. */
async function download(artifact: Artifact, path: string, chunks: Chunks): Promise<void> {
  const hash = createHash('sha256');
  try {
    const file = await open(path, 'wx');
    try {
      for (let ordinal = 0; ordinal < chunks.count; ordinal += 1) {
        const chunk = await chunks.read(ordinal);
        hash.update(chunk);
        await file.write(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    // The chunks hold a transaction and a pooled connection, so they are closed even when no file could be created.
    await chunks.close();
  }
  if (hash.digest('hex') !== artifact.sha256)
    throw new Error(`Artifact '${artifact.name}' does not match its SHA-256; the stored copy is damaged.`);
}

async function looksOf(path: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return null;
  }
}

async function readIndex(indexes: string, name: string): Promise<Artifact[]> {
  try {
    return Index.parse(JSON.parse(await readFile(join(indexes, `${name}.json`), 'utf8')));
  } catch {
    return [];
  }
}

/** Keeps the last two versions of each name and removes files that no index lists. */
async function removeUnnamed(folder: string, indexes: string, olderThanMs: number): Promise<void> {
  const names = (await readdir(indexes)).filter((file) => file.endsWith('.json'));
  const lists = await Promise.all(names.map((file) => readIndex(indexes, file.slice(0, -'.json'.length))));
  const kept = new Set(lists.flat().map((artifact) => artifact.sha256));
  for (const file of await readdir(folder)) {
    if (file === 'names' || kept.has(file)) continue;
    const found = await stat(join(folder, file)).catch(() => null);
    if (found !== null && found.mtimeMs < olderThanMs) await rm(join(folder, file), { force: true });
  }
}
