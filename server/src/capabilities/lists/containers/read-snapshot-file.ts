import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { FILE_CHUNK_BYTES, sha256OfFile } from '#platform/sha256.ts';
import { GateError } from '../gate-error.ts';
import { decompress } from './decompress.ts';
import { MemberText, type SnapshotEvents } from './member-text.ts';
import { isTarHeader, readTar, TAR_BLOCK } from './read-tar.ts';
import { readZip } from './read-zip.ts';
import { UnpackBudget } from './unpack-budget.ts';

export type { SnapshotEvents } from './member-text.ts';

export type SnapshotLimits = {
  readonly bytesMax: number;
  /** Limit of unpacked to packed bytes, checked once more than 1 MiB came out. 100 when absent. */
  readonly ratioMax?: number;
  readonly signal?: AbortSignal;
};

export type SnapshotRead = {
  readonly bytes: number;
  readonly rawBytes: number;
  /** SHA-256 of the bytes on disk, in lower-case hexadecimal. */
  readonly sha256: string;
};

const RATIO_MAX = 100;

/**
 * Reads a file in any supported packing, recognised by its first bytes: plain, gzip (also several members), zstd, tar,
 * tar in either, zip. Text comes in pieces cut anywhere; the reader waits when `on.text` returns a promise. Any fault
 * of the file is a GateError; the error of an aborted signal is thrown unchanged.
 */
export async function readSnapshotFile(
  path: string,
  limits: SnapshotLimits,
  on: SnapshotEvents,
): Promise<SnapshotRead> {
  limits.signal?.throwIfAborted();
  const { bytes, sha256 } = await sha256OfFile(path, limits.signal);
  const budget = new UnpackBudget(limits.bytesMax, limits.ratioMax ?? RATIO_MAX, limits.signal);
  const packing = packingOf(await firstBytes(path));
  if (packing === 'zip') await readZip(path, bytes, budget, on);
  else await readStream(unpacked(path, packing, budget), budget, on);
  return { bytes, rawBytes: budget.bytesOut, sha256 };
}

const fileChunks = (path: string): Readable & AsyncIterable<Buffer> =>
  createReadStream(path, { highWaterMark: FILE_CHUNK_BYTES });

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

type Packing = 'none' | 'gzip' | 'zstd' | 'zip';
/** First bytes in hexadecimal. An empty zip archive and one in volumes begin with other signatures. */
const SUPPORTED: readonly (readonly [magic: string, packing: Packing])[] = [
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
  ['504b0304', 'zip'],
  ['504b0506', 'zip'],
  ['504b0708', 'zip'],
];
const UNSUPPORTED: readonly (readonly [magic: string, name: string])[] = [
  ['425a68', 'bzip2'],
  ['fd377a585a00', 'xz'],
  ['377abcaf271c', '7-Zip'],
  ['526172211a07', 'RAR'],
];

function packingOf(first: Buffer): Packing {
  const hex = first.toString('hex');
  const other = UNSUPPORTED.find(([magic]) => hex.startsWith(magic));
  if (other !== undefined)
    throw new GateError(
      'archive',
      `The file is packed with ${other[1]}, which is not supported; gzip, zip, tar and zstd are.`,
      false,
    );
  return SUPPORTED.find(([magic]) => hex.startsWith(magic))?.[1] ?? 'none';
}

function unpacked(path: string, packing: Exclude<Packing, 'zip'>, budget: UnpackBudget) {
  const file = fileChunks(path);
  if (packing === 'gzip')
    return decompress(file, createGunzip({ chunkSize: FILE_CHUNK_BYTES }), 'gzip', budget);
  if (packing === 'zstd')
    return decompress(file, createZstdDecompress({ chunkSize: FILE_CHUNK_BYTES }), 'zstd', budget);
  return counted(file, budget);
}

async function* counted(chunks: AsyncIterable<Buffer>, budget: UnpackBudget): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    budget.add(chunk.length, budget.bytesOut + chunk.length);
    yield chunk;
  }
}

/** The generator is always ended, because it holds the open file. */
async function readStream(
  chunks: AsyncGenerator<Buffer>,
  budget: UnpackBudget,
  on: SnapshotEvents,
): Promise<void> {
  try {
    await readTarOrText(chunks, budget, on);
  } finally {
    await chunks.return(undefined);
  }
}

/** The first block decides, so chunks are collected until it is complete. */
async function readTarOrText(
  chunks: AsyncGenerator<Buffer>,
  budget: UnpackBudget,
  on: SnapshotEvents,
): Promise<void> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < TAR_BLOCK) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  if (isTarHeader(head)) return await readTar(head, chunks, budget, on);
  const text = new MemberText(on);
  await text.open('');
  await text.write(head);
  for await (const chunk of chunks) await text.write(chunk);
  await text.close();
}
