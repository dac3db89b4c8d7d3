import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { type KnownColumns, roomFor } from './known-values.ts';

/**
 * What a source listed after its last merge, beside the replica. A cache: it is used when it is of exactly the state
 * PostgreSQL has, and whoever finds it missing, foreign, torn or outdated compares the whole source instead.
 */
export type KnownState = {
  readonly sourceId: string;
  readonly sourceNumber: number;
  readonly version: number;
  /** Time of the merge it was written after: a database that was restored may count to the same version again. */
  readonly mergedAtMs: number;
  /** What decided about the entries: other rules may let other entries in. */
  readonly rules: string;
};

const MAGIC = 'assay-known-3\n';
const HEADER_BYTES = 1_024;
/** Each week the whole source is compared: suffix lists and canaries change with releases. */
const AGE_MAX_MS = 7 * 86_400_000;
const HeaderSchema = z.object({
  sourceId: z.string(),
  sourceNumber: z.int(),
  version: z.int(),
  mergedAtMs: z.number(),
  rules: z.string(),
  builtAtMs: z.number(),
  count: z.int().min(0),
  listed: z.int().min(0),
  slots: z.int().min(0),
  bytes: z.int().min(0),
  crc: z.int(),
});
type Header = z.infer<typeof HeaderSchema>;

/** What is known, and a name for it with which `touchKnown` can confirm it. */
export type KnownFile = { readonly columns: KnownColumns; readonly header: Header };

const pathOf = (dataDir: string, sourceId: string): string => join(dataDir, 'feeds', `${sourceId}.known`);

/** Null when there is nothing to be used; never throws. */
export async function readKnown(
  dataDir: string,
  state: KnownState,
  nowMs: number,
): Promise<KnownFile | null> {
  if (endianness() !== 'LE') return null;
  const file = await open(pathOf(dataDir, state.sourceId)).catch(() => null);
  if (file === null) return null;
  try {
    const header = parseHeader(await readBytes(file, Buffer.alloc(HEADER_BYTES), 0));
    if (header === null || !isOf(header, state) || nowMs - header.builtAtMs > AGE_MAX_MS) return null;
    const size = HEADER_BYTES + header.count * 8 + header.slots * 4 + header.bytes;
    if ((await file.stat()).size !== size) return null;
    const columns = await readColumns(file, header);
    return columns === null ? null : { columns, header };
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

/** Straight to where they will be used: copying 40 MB once more takes as long as reading them. */
async function readColumns(file: FileHandle, header: Header): Promise<KnownColumns | null> {
  const columns = { ...roomFor(header.count, header.slots, header.bytes), listed: header.listed };
  let [at, crc] = [HEADER_BYTES, 0];
  for (const part of partsOf(columns, header)) {
    crc = crc32(await readBytes(file, part, at), crc);
    at += part.length;
  }
  return crc === header.crc ? columns : null;
}

async function readBytes(file: FileHandle, into: Buffer, at: number): Promise<Buffer> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done, into.length - done, at + done);
    if (bytesRead === 0) throw new Error('The file is shorter than it says.');
    done += bytesRead;
  }
  return into;
}

/** The filled part of each column, as bytes. */
const partsOf = (
  { ends, prints, slots, bytes }: KnownColumns,
  filled: Pick<Header, 'count' | 'bytes'>,
): readonly Buffer[] => [
  Buffer.from(ends.buffer, ends.byteOffset, filled.count * 4),
  Buffer.from(prints.buffer, prints.byteOffset, filled.count * 4),
  Buffer.from(slots.buffer, slots.byteOffset, slots.byteLength),
  Buffer.from(bytes.buffer, bytes.byteOffset, filled.bytes),
];

const isOf = (header: Header, state: KnownState): boolean =>
  header.sourceId === state.sourceId &&
  header.sourceNumber === state.sourceNumber &&
  header.version === state.version &&
  header.mergedAtMs === state.mergedAtMs &&
  header.rules === state.rules;

/** After a merge that changed something: a new file in place of the old one. */
export async function writeKnown(
  dataDir: string,
  state: KnownState,
  columns: KnownColumns,
  nowMs: number,
): Promise<void> {
  if (endianness() !== 'LE') return;
  const path = pathOf(dataDir, state.sourceId);
  const filled = { count: columns.count, bytes: columns.bytes.length };
  const parts = partsOf(columns, filled);
  const header: Header = {
    ...state,
    builtAtMs: nowMs,
    ...filled,
    listed: columns.listed,
    slots: columns.slots.length,
    crc: parts.reduce((crc, part) => crc32(part, crc), 0),
  };
  await mkdir(join(dataDir, 'feeds'), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w');
    try {
      for (const part of [headerBytes(header), ...parts]) await file.writeFile(part);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** After a merge that changed nothing: the same content is now confirmed by a later merge. */
export async function touchKnown(dataDir: string, { header }: KnownFile, mergedAtMs: number): Promise<void> {
  const file = await open(pathOf(dataDir, header.sourceId), 'r+');
  try {
    await file.write(headerBytes({ ...header, mergedAtMs }), 0, HEADER_BYTES, 0);
  } finally {
    await file.close();
  }
}

export const forgetKnown = (dataDir: string, sourceId: string): Promise<void> =>
  rm(pathOf(dataDir, sourceId), { force: true });

/** Magic, checksum and length of the JSON, the JSON, spaces. */
function headerBytes(header: Header): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const bytes = Buffer.alloc(HEADER_BYTES, ' ');
  const at = bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(crc32(json), at);
  bytes.writeUInt32LE(json.length, at + 4);
  if (at + 8 + json.length > HEADER_BYTES)
    throw new Error('The header of a file of known values is too long.');
  json.copy(bytes, at + 8);
  return bytes;
}

function parseHeader(file: Buffer): Header | null {
  const at = MAGIC.length;
  if (file.toString('latin1', 0, at) !== MAGIC) return null;
  const json = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
  if (crc32(json) !== file.readUInt32LE(at)) return null;
  try {
    return HeaderSchema.parse(JSON.parse(json.toString('utf8')));
  } catch {
    return null;
  }
}
