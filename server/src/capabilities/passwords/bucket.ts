import { crc32 } from 'node:zlib';

/**
 * The stored form of all hashes with the same first five digits: a checksum of 4 bytes, then the next twelve digits of
 * each hash in ascending order (6 bytes), then the counts in the same order (4 bytes). 17 digits are 68 bits: with a
 * thousand million stored hashes, one random hash in 3 x 10^11 would be taken for a breached one. A range answer shows
 * these twelve digits only (decisions 3.19). Whole hashes would take 22 bytes per entry instead of 10.
 */
export const PREFIX_DIGITS = 5;
export const SUFFIX_DIGITS = 12;
export const PREFIXES = 16 ** PREFIX_DIGITS;
export const COUNT_MAX = 0xffff_ffff;

export const SUFFIX_BYTES = 6;
export const COUNT_BYTES = 4;
export const ENTRY_BYTES = SUFFIX_BYTES + COUNT_BYTES;
export const CHECKSUM_BYTES = 4;
const KEY_BYTES = 3;

/** LMDB has no page checksums (foundation rule 5), so each bucket carries its own. */
export class DamagedBucket extends Error {
  constructor() {
    super('A bucket of the password corpus does not match its checksum.');
    this.name = 'DamagedBucket';
  }
}

/** Five digits are 20 bits: three bytes, in numeric order. */
export function bucketKey(prefix: number, key: Buffer = Buffer.alloc(KEY_BYTES)): Buffer {
  key[0] = prefix >>> 16;
  key[1] = prefix >>> 8;
  key[2] = prefix;
  return key;
}

export const prefixOfKey = (key: Uint8Array): number =>
  ((key[0] as number) << 16) | ((key[1] as number) << 8) | (key[2] as number);

/** `suffixes` must be ascending; `counts` has the same order. */
export function packBucket(suffixes: readonly number[], counts: readonly number[]): Buffer {
  const bucket = Buffer.allocUnsafe(CHECKSUM_BYTES + suffixes.length * ENTRY_BYTES);
  let at = CHECKSUM_BYTES;
  for (const suffix of suffixes) at = bucket.writeUIntBE(suffix, at, SUFFIX_BYTES);
  for (const count of counts) at = bucket.writeUInt32BE(count, at);
  bucket.writeUInt32BE(crc32(bucket.subarray(CHECKSUM_BYTES)));
  return bucket;
}

/** The number of entries; throws when the checksum does not match. */
export function checkedEntries(bucket: Buffer): number {
  const body = bucket.length - CHECKSUM_BYTES;
  if (body < ENTRY_BYTES || body % ENTRY_BYTES !== 0) throw new DamagedBucket();
  if (crc32(bucket.subarray(CHECKSUM_BYTES)) !== bucket.readUInt32BE(0)) throw new DamagedBucket();
  return body / ENTRY_BYTES;
}

/** The suffix of the entry at this place, of a bucket that was checked. */
export function suffixAt(bucket: Buffer, at: number): number {
  return bucket.readUIntBE(CHECKSUM_BYTES + at * SUFFIX_BYTES, SUFFIX_BYTES);
}

export const countAt = (bucket: Buffer, entries: number, at: number): number =>
  bucket.readUInt32BE(CHECKSUM_BYTES + entries * SUFFIX_BYTES + at * COUNT_BYTES);

/** The count of a suffix; null when the bucket does not hold it. */
export function countIn(bucket: Buffer, suffix: number): number | null {
  const entries = checkedEntries(bucket);
  const place = placeOf(bucket, suffix);
  return place < 0 ? null : countAt(bucket, entries, place);
}

/** The place of a suffix in a bucket that was checked; -1 when it is not there. */
export function placeOf(bucket: Buffer, suffix: number): number {
  let [low, high] = [0, (bucket.length - CHECKSUM_BYTES) / ENTRY_BYTES - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = suffixAt(bucket, middle);
    if (found === suffix) return middle;
    if (found < suffix) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
