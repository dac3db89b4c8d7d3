import { opendir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { sha256Of } from '#platform/sha256.ts';
import { type Compressed, compressBoth } from './compress.ts';
import { isCompressible, mediaTypeOf } from './media-types.ts';

export type WebFile = {
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** The hash of the uncompressed bytes; the tag of a compressed form adds its encoding. */
  readonly hash: string;
  /** Compressed once, when the folder is read; earlier requests wait for it. */
  readonly compressed: Promise<Compressed>;
};
/** By path below the folder, with `/` as separator. Other paths are not served. */
export type WebFiles = ReadonlyMap<string, WebFile>;

/** A build has about a hundred files and a few megabytes; a larger folder was named by mistake. */
const FILES_MAX = 2_000;
const BYTES_MAX = 64 * 1024 * 1024;
const COMPRESSED_AT_ONCE = 2;
const COMPRESS_FROM_BYTES = 1_024;

/** Reads the whole folder into memory; null when there is none. `fill` completes the placeholders of a build. */
export async function readWebFiles(
  dir: string,
  fill: (name: string, bytes: Buffer) => Buffer,
): Promise<WebFiles | null> {
  const names = await namesIn(dir);
  if (names === null) return null;
  const files = new Map<string, WebFile>();
  const compress = createCompressor();
  let bytesLeft = BYTES_MAX;
  for (const name of names) {
    const bytes = fill(name, await readFile(join(dir, name)));
    bytesLeft -= bytes.length;
    if (bytesLeft < 0) throw new Error(`WEB_DIR holds more than ${BYTES_MAX} bytes: not a built dashboard.`);
    const mediaType = mediaTypeOf(name);
    files.set(name, {
      mediaType,
      bytes,
      hash: sha256Of(bytes).slice(0, 32),
      compressed:
        isCompressible(mediaType) && bytes.length >= COMPRESS_FROM_BYTES
          ? compress(bytes)
          : Promise.resolve({}),
    });
  }
  return files;
}

/** Plain files only: a link may lead out of the folder, and hidden files belong to build tools. */
async function namesIn(dir: string): Promise<readonly string[] | null> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(dir, { recursive: true })) {
      const name = relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/');
      if (!entry.isFile() || /(?:^|\/)\./.test(name)) continue;
      if (names.push(name) > FILES_MAX)
        throw new Error(`WEB_DIR holds more than ${FILES_MAX} files: not a built dashboard.`);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
  return names;
}

/** Two at a time, because the compressing threads also read files and resolve names. */
function createCompressor() {
  const lanes = Array.from({ length: COMPRESSED_AT_ONCE }, () => Promise.resolve());
  let turn = 0;
  return (bytes: Buffer): WebFile['compressed'] => {
    const lane = turn++ % lanes.length;
    const made = (lanes[lane] ?? Promise.resolve()).then(() => compressBoth(bytes));
    lanes[lane] = made.then(() => undefined);
    return made;
  };
}
