import { createReadStream, type ReadStream } from 'node:fs';
import { createGunzip, createZstdDecompress, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { PasswordsRefused } from './hash-lines.ts';

/** The compression of a file, which its first bytes tell; file names are not reliable. */
export type Packing = 'plain' | 'gzip' | 'zstd';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
export const MAGIC_BYTES = 4;
const READ_BYTES = 1_048_576;
/** The limit of an unpacked range file; one of the whole published list is about 40 kB. */
const RANGE_BYTES_MAX = 64 * 1_048_576;

export function packingOf(start: Buffer): Packing {
  if (start.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return 'gzip';
  return start.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC) ? 'zstd' : 'plain';
}

export function unpackSmall(bytes: Buffer): Buffer {
  const packing = packingOf(bytes);
  const options = { maxOutputLength: RANGE_BYTES_MAX };
  try {
    if (packing === 'gzip') return gunzipSync(bytes, options);
    return packing === 'zstd' ? zstdDecompressSync(bytes, options) : bytes;
  } catch (error) {
    throw asRefusal(error);
  }
}

export type OpenList = { readonly pieces: AsyncGenerator<Buffer>; readonly bytesRead: () => number };

/** Opens a list for reading. `start` skips bytes and works for plain files only. */
export function openList(file: string, packing: Packing, start = 0): OpenList {
  const read = createReadStream(file, { highWaterMark: READ_BYTES, start });
  return { pieces: piecesOf(read, packing), bytesRead: () => start + read.bytesRead };
}

async function* piecesOf(read: ReadStream, packing: Packing): AsyncGenerator<Buffer> {
  if (packing === 'plain') {
    yield* read;
    return;
  }
  const options = { chunkSize: READ_BYTES };
  const unpacked = packing === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
  read.on('error', (error) => unpacked.destroy(error));
  try {
    yield* read.pipe(unpacked);
  } catch (error) {
    throw asRefusal(error);
  } finally {
    read.destroy();
    unpacked.destroy();
  }
}

function asRefusal(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  if (code === 'Z_BUF_ERROR')
    return new PasswordsRefused('The packed file ends too early: it was cut off. Download it again.');
  if (/^(?:Z_|ZSTD_|ERR_BUFFER_TOO_LARGE)/.test(code))
    return new PasswordsRefused('The packed file is damaged. Download it again.');
  return error;
}
