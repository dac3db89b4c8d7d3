import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { DAY_MS } from '#platform/time-units.ts';
import { type KnownColumns, roomFor } from './known-values.ts';

/**
 * The listed values of a source after its last merge, stored beside the replica. It is a cache: it is used only when it
 * matches the exact state of PostgreSQL; if it is missing, foreign, torn or outdated, the whole source is compared
 * instead.
 */
export type KnownState = {
  readonly sourceId: string;
  readonly sourceNumber: number;
  readonly version: number;
  /** Time of the merge after which it was written, because a restored database may count to the same version again. */
  readonly mergedAtMs: number;
  readonly rules: string;
};

const MAGIC = 'assay-known-3\n';
const HEADER_BYTES = 1_024;
/** The whole source is compared every week, because suffix lists and canaries change with releases. */
const AGE_MAX_MS = 7 * DAY_MS;
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

/** The known values, and the header with which `touchKnown` confirms them. */
export type KnownFile = { readonly columns: KnownColumns; readonly header: Header };

const pathOf = (dataDir: string, sourceId: string): string => join(dataDir, 'feeds', `${sourceId}.known`);

/** Null when there is no usable file; never throws. */
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

/** Reads straight into the final buffers, because copying 40 MB once more takes as long as reading them. */
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
    if (bytesRead === 0) throw new Error('The file is shorter than its header says.');
    done += bytesRead;
  }
  return into;
}

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

/** Marks the same content as confirmed by a later merge that changed nothing. */
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

/** Magic number, checksum and length of the JSON, the JSON, padding with spaces. */
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
