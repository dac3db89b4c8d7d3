import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { GateError } from '../gate-error.ts';
import { decompress } from './decompress.ts';
import { MemberText, type SnapshotEvents } from './member-text.ts';
import type { UnpackBudget } from './unpack-budget.ts';

const CHUNK_BYTES = 256 * 1024;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** 65,535 entries, the maximum without zip64, with names of 200 bytes. */
const DIRECTORY_BYTES_MAX = 16 * 1024 ** 2;
const IN_ZIP64 = 0xffff_ffff;
const STORED = 0;
const DEFLATED = 8;

type ZipFile = { readonly path: string; readonly bytes: number; readonly handle: FileHandle };
type ZipEntry = {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly crc: number;
  readonly at: number;
};

/**
 * Reads by the directory at the end of the file, which holds every size: data descriptors need no handling, and a
 * truncated file has no directory. Supports stored and deflated members; zip64 and encryption are refused.
 */
export async function readZip(
  path: string,
  fileBytes: number,
  budget: UnpackBudget,
  on: SnapshotEvents,
): Promise<void> {
  const handle = await open(path);
  const zip: ZipFile = { path, bytes: fileBytes, handle };
  try {
    const text = new MemberText(on);
    let packedBefore = 0;
    for (const entry of await readDirectory(zip)) {
      if (!entry.name.endsWith('/')) await readMember(zip, entry, packedBefore, budget, text);
      packedBefore += entry.packed;
    }
  } finally {
    await handle.close();
  }
}

async function readDirectory(zip: ZipFile): Promise<readonly ZipEntry[]> {
  const tailBytes = Math.min(zip.bytes, END_BYTES + COMMENT_BYTES_MAX);
  const tail = await readAt(zip, zip.bytes - tailBytes, tailBytes);
  const end = findEnd(tail);
  if (end === null)
    throw new GateError('truncated', 'The file ends before the directory of its zip archive.', false);
  const count = end.readUInt16LE(10);
  const bytes = end.readUInt32LE(12);
  const at = end.readUInt32LE(16);
  if (at === IN_ZIP64 || bytes === IN_ZIP64 || count === 0xffff)
    throw broken('zip64 archives are not supported');
  if (end.readUInt16LE(4) !== 0) throw broken('zip archives in several volumes are not supported');
  if (bytes > DIRECTORY_BYTES_MAX || at + bytes > zip.bytes) throw damaged();
  const directory = await readAt(zip, at, bytes);
  const entries: ZipEntry[] = [];
  for (let position = 0, i = 0; i < count; i++) {
    const entry = entryAt(directory, position);
    entries.push(entry.entry);
    position = entry.next;
  }
  // A small archive with overlapping members can unpack to terabytes.
  if (entries.reduce((total, { packed }) => total + packed, 0) > zip.bytes) throw damaged();
  return entries;
}

/** Searches from the back: the comment after the record has any length, which must match the end of the file. */
function findEnd(tail: Buffer): Buffer | null {
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail[at] !== 0x50 || tail.readUInt32LE(at) !== 0x06054b50) continue;
    if (at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length) return tail.subarray(at);
  }
  return null;
}

function entryAt(directory: Buffer, at: number): { readonly entry: ZipEntry; readonly next: number } {
  if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw damaged();
  const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28);
  const next = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  if (next > directory.length) throw damaged();
  const entry = {
    name: directory.toString('utf8', at + ENTRY_BYTES, nameEnd),
    method: directory.readUInt16LE(at + 10),
    crc: directory.readUInt32LE(at + 16),
    packed: directory.readUInt32LE(at + 20),
    size: directory.readUInt32LE(at + 24),
    at: directory.readUInt32LE(at + 42),
  };
  if ((directory.readUInt16LE(at + 8) & 1) !== 0) throw broken('a member of the zip archive is encrypted');
  if (entry.packed === IN_ZIP64 || entry.size === IN_ZIP64 || entry.at === IN_ZIP64)
    throw broken('zip64 archives are not supported');
  return { entry, next };
}

async function readMember(
  zip: ZipFile,
  entry: ZipEntry,
  packedBefore: number,
  budget: UnpackBudget,
  text: MemberText,
): Promise<void> {
  await text.open(entry.name);
  if (!text.isWanted) return;
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw broken(`compression method ${entry.method} of the zip archive is not supported`);
  if (entry.at + LOCAL_BYTES > zip.bytes) throw damaged();
  const local = await readAt(zip, entry.at, LOCAL_BYTES);
  if (local.readUInt32LE(0) !== 0x04034b50) throw damaged();
  const start = entry.at + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (start + entry.packed > zip.bytes) throw damaged();
  let size = 0;
  let crc = 0;
  for await (const chunk of contentOf(zip, start, entry, packedBefore, budget)) {
    size += chunk.length;
    crc = crc32(chunk, crc);
    await text.write(chunk);
  }
  if (size !== entry.size || crc !== entry.crc) throw broken('a checksum of the zip archive is wrong');
  await text.close();
}

async function* contentOf(
  zip: ZipFile,
  start: number,
  entry: ZipEntry,
  packedBefore: number,
  budget: UnpackBudget,
): AsyncGenerator<Buffer> {
  if (entry.packed === 0) return;
  const packed: Readable & AsyncIterable<Buffer> = createReadStream(zip.path, {
    start,
    end: start + entry.packed - 1,
    highWaterMark: CHUNK_BYTES,
  });
  if (entry.method === DEFLATED)
    return yield* decompress(
      packed,
      createInflateRaw({ chunkSize: CHUNK_BYTES }),
      'zip',
      budget,
      packedBefore,
    );
  for await (const chunk of packed) {
    budget.add(chunk.length, packedBefore + entry.packed);
    yield chunk;
  }
}

async function readAt(zip: ZipFile, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await zip.handle.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead < bytes) throw damaged();
  return buffer;
}

const broken = (why: string) => new GateError('archive', `The file cannot be read: ${why}.`, false);
const damaged = () =>
  new GateError('archive', 'The file is damaged: its zip archive contradicts itself.', false);
