import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Artifact, Chunks } from './store.ts';

export type Cache = {
  /** Path of the verified file, fetched when it is absent or damaged. */
  readonly file: (artifact: Artifact, chunks: () => Promise<Chunks>) => Promise<string>;
  readonly newestKnown: (name: string) => Promise<Artifact | null>;
};

const KEPT = 2;
/** Another process may have written a file and not yet its index: young files are left alone. */
const YOUNG_MS = 600_000;
const SHA256 = /^[0-9a-f]{64}$/;

/** Which versions of a name this folder holds, newest first: lets a node start while PostgreSQL is away. */
const Index = z.array(
  z.object({
    name: z.string().max(128),
    sha256: z.string().regex(SHA256),
    bytes: z.number(),
    createdAt: z.string().max(40),
  }),
);

/** `<dataDir>/artifacts/<sha256>`, shared by the processes of a node. Deleting the folder costs a download, nothing else. */
export function openCache(dataDir: string, log: Log, clock: Clock): Cache {
  const folder = join(dataDir, 'artifacts');
  const indexes = join(folder, 'names');
  /** What a file looked like when its bytes were last read whole; a file that looks different is read again. */
  const verified = new Map<string, string>();
  const fetching = new Map<string, Promise<string>>();

  async function isIntact(path: string, artifact: Artifact): Promise<boolean> {
    const looks = await looksOf(path);
    if (looks === null) return false;
    if (verified.get(path) === looks) return true;
    if ((await sha256Of(path)) !== artifact.sha256) {
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

/** Written beside, checked, made durable, then renamed by the caller: a half file never has the good name. */
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
    // Also where no file could be made: chunks hold a transaction, and with it a connection of the pool.
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

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

async function readIndex(indexes: string, name: string): Promise<Artifact[]> {
  try {
    return Index.parse(JSON.parse(await readFile(join(indexes, `${name}.json`), 'utf8')));
  } catch {
    return [];
  }
}

/** The last two versions of each name stay; what no index names goes. */
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
