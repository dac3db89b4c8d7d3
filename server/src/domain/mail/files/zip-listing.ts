import { MAIL_LIMITS } from '../limits.ts';
import { latinText } from './file-type.ts';

export type ZipEntry = {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly packedBytes: number;
  readonly headerAt: number;
};
export type ZipListing = {
  readonly entries: readonly ZipEntry[];
  /** True if there are more entries than were read, or the directory is damaged. */
  readonly isCut: boolean;
};

const END_BYTES = 22;
const COMMENT_MAX = 65_535;
const DIRECTORY_ENTRY_BYTES = 46;

const u16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
const u32 = (bytes: Uint8Array, at: number): number => (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;

function findEnd(bytes: Uint8Array): number {
  const lowest = Math.max(0, bytes.length - END_BYTES - COMMENT_MAX);
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) if (u32(bytes, at) === 0x06054b50) return at;
  return -1;
}

/** Reads names and flags from the central directory; unpacks nothing. */
export function listZip(bytes: Uint8Array): ZipListing {
  const end = findEnd(bytes);
  if (end === -1) return { entries: [], isCut: true };
  const count = u16(bytes, end + 10);
  let at = u32(bytes, end + 16);
  const entries: ZipEntry[] = [];
  while (entries.length < Math.min(count, MAIL_LIMITS.archiveEntriesMax)) {
    if (at + DIRECTORY_ENTRY_BYTES > bytes.length || u32(bytes, at) !== 0x02014b50) break;
    const nameLength = u16(bytes, at + 28);
    entries.push({
      name: latinText(bytes, at + DIRECTORY_ENTRY_BYTES, Math.min(nameLength, 300)),
      isEncrypted: (u16(bytes, at + 8) & 1) === 1,
      method: u16(bytes, at + 10),
      packedBytes: u32(bytes, at + 20),
      headerAt: u32(bytes, at + 42),
    });
    at += DIRECTORY_ENTRY_BYTES + nameLength + u16(bytes, at + 30) + u16(bytes, at + 32);
  }
  return { entries, isCut: entries.length < count };
}

/** Unpacks deflated bytes up to a limit; null when they are damaged. */
export type Inflate = (bytes: Uint8Array, bytesMax: number) => Uint8Array | null;

/** The text of one small entry, such as the relations of an Office file; null when it cannot be read. */
export function readZipEntry(bytes: Uint8Array, entry: ZipEntry, inflate: Inflate): string | null {
  const { headerAt, packedBytes, method } = entry;
  if (headerAt + 30 > bytes.length || u32(bytes, headerAt) !== 0x04034b50 || entry.isEncrypted) return null;
  const from = headerAt + 30 + u16(bytes, headerAt + 26) + u16(bytes, headerAt + 28);
  const packed = bytes.subarray(from, Math.min(bytes.length, from + packedBytes));
  const plain = method === 0 ? packed : method === 8 ? inflate(packed, MAIL_LIMITS.unpackedBytesMax) : null;
  return plain === null ? null : latinText(plain, 0, MAIL_LIMITS.unpackedBytesMax);
}
