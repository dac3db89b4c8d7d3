import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { sha256OfFile } from '#platform/sha256.ts';
import { FetchedPart } from '../contract.ts';

/** Downloads before they are read: `<dataDir>/feeds/spool/<source>/<part>.data`. Losing them costs a download. */
export type Spool = {
  readonly path: (part: number) => string;
  /** A part that a killed run had downloaded completely, if its bytes still match the recorded digest. */
  readonly found: (part: number, url: string) => Promise<FetchedPart | null>;
  /** As `found`, for parts without a validator (ETag or date): accepts a part that is not older than `sinceMs`. */
  readonly recent: (part: number, url: string, sinceMs: number) => Promise<FetchedPart | null>;
  /** Writes to a temporary file and renames it at the end, so that a partial file never has the final name. */
  readonly write: (part: number, body: Readable) => Promise<{ sha256: string; bytes: number }>;
  /** Records what the bytes are, so that they can be used again. */
  readonly keep: (part: number, about: FetchedPart) => Promise<void>;
  readonly drop: (part: number) => Promise<void>;
  readonly clear: () => Promise<void>;
};

const spoolRoot = (dataDir: string): string => join(dataDir, 'feeds', 'spool');

export async function openSpool(dataDir: string, sourceId: string): Promise<Spool> {
  const folder = join(spoolRoot(dataDir), sourceId);
  await mkdir(folder, { recursive: true });
  const path = (part: number) => join(folder, `${part}.data`);
  const about = (part: number) => join(folder, `${part}.json`);
  const drop = async (part: number) => {
    await rm(about(part), { force: true });
    await rm(path(part), { force: true });
  };
  const whole = async (part: number, url: string): Promise<FetchedPart | null> => {
    const known = await readAbout(about(part));
    if (known === null || known.url !== url) return null;
    const digest = (await sha256OfFile(path(part)).catch(() => null))?.sha256;
    return digest === known.sha256 ? known : null;
  };
  return {
    path,
    drop,
    found: async (part, url) => {
      const known = await whole(part, url);
      if (known !== null && (known.etag ?? known.lastModified) !== null) return known;
      await drop(part);
      return null;
    },
    recent: async (part, url, sinceMs) => {
      const known = await whole(part, url);
      return known !== null && known.atMs >= sinceMs ? known : null;
    },
    write: async (part, body) => {
      await drop(part);
      const partial = join(folder, `${part}.partial`);
      const hash = createHash('sha256');
      let bytes = 0;
      const file = await open(partial, 'w');
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          hash.update(chunk);
          bytes += chunk.length;
          await file.writeFile(chunk);
        }
      } catch (error) {
        body.destroy();
        await rm(partial, { force: true });
        throw new SpoolError(bytes, error);
      } finally {
        await file.close();
      }
      await rename(partial, path(part));
      return { sha256: hash.digest('hex'), bytes };
    },
    keep: (part, known) => writeFile(about(part), JSON.stringify(known)),
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

export class SpoolError extends Error {
  readonly bytes: number;
  constructor(bytes: number, cause: unknown) {
    super('The body could not be read to its end.', { cause });
    this.bytes = bytes;
  }
}

/** Removes spools that killed runs left and no later run used. */
export async function clearOldSpools(dataDir: string, olderThanMs: number): Promise<number> {
  const root = spoolRoot(dataDir);
  let removed = 0;
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name);
    const found = await stat(folder).catch(() => null);
    if (found === null || found.mtimeMs >= olderThanMs) continue;
    await rm(folder, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

async function readAbout(path: string): Promise<FetchedPart | null> {
  try {
    return FetchedPart.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}
