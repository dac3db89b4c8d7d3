import { createHash } from 'node:crypto';
import { openCache } from './artifacts/cache.ts';
import type { Artifact } from './artifacts/store.ts';
import * as store from './artifacts/store.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { type Db, isPostgresAway, type Postgres } from './postgres.ts';

export type { Artifact } from './artifacts/store.ts';

export type OpenedArtifact = Artifact & {
  readonly path: string;
};

export type PutOptions = { readonly bytesMax?: number };

const CHUNK_BYTES = 1024 * 1024;
const BYTES_MAX = 8 * 1024 ** 3;
const KEPT = 2;

/**
 * Stores a file inside the caller's transaction, so that other transactions see the whole file or none of it. The
 * source must not stall: PostgreSQL ends a transaction that waits ten seconds for the next byte, so download to disk
 * first. Storing the same content again adds nothing.
 */
export async function putArtifact(
  tx: Db,
  name: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { bytesMax = BYTES_MAX }: PutOptions = {},
): Promise<Artifact> {
  const id = await store.insertArtifact(tx, name);
  const hash = createHash('sha256');
  let bytes = 0;
  let ordinal = 0;
  for await (const chunk of chunked(source)) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`Artifact '${name}' is larger than ${bytesMax} bytes.`);
    hash.update(chunk);
    await store.insertChunk(tx, id, ordinal, chunk);
    ordinal += 1;
  }
  const sha256 = hash.digest('hex');
  const before = await store.newestArtifact(tx, name);
  if (before?.sha256 === sha256) {
    await store.deleteArtifact(tx, id);
    return before;
  }
  const artifact = await store.finishArtifact(tx, id, sha256, bytes);
  await store.deleteOlder(tx, name, KEPT);
  return artifact;
}

/** Deletes every version of a name; files cached on nodes are removed when a newer artifact arrives. */
export const removeArtifact = (tx: Db, name: string): Promise<unknown> => store.deleteOlder(tx, name, 0);

export type ArtifactsOptions = {
  readonly postgres: Postgres;
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
};
export type Artifacts = {
  /** The newest version as a local file, or null. While PostgreSQL is unreachable, the newest in the node's cache. */
  readonly openArtifact: (name: string) => Promise<OpenedArtifact | null>;
};

export function createArtifacts({ postgres, dataDir, log, clock }: ArtifactsOptions): Artifacts {
  const cache = openCache(dataDir, log, clock);
  const newest = async (name: string): Promise<Artifact | null> => {
    try {
      return await store.newestArtifact(postgres.db, name);
    } catch (error) {
      if (!isPostgresAway(error)) throw error;
      log.warn({ artifact: name, err: error }, 'artifact.offline');
      return cache.newestKnown(name);
    }
  };
  return {
    openArtifact: async (name) => {
      const artifact = await newest(name);
      if (artifact === null) return null;
      const path = await cache.file(artifact, () => store.readChunks(postgres, artifact));
      return { ...artifact, path };
    },
  };
}

async function* chunked(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + CHUNK_BYTES - held);
      parts.push(part);
      held += part.length;
      at += part.length;
      if (held < CHUNK_BYTES) continue;
      yield Buffer.concat(parts, held);
      parts = [];
      held = 0;
    }
  }
  if (held > 0) yield Buffer.concat(parts, held);
}
