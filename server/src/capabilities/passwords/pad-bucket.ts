import {
  CHECKSUM_BYTES,
  COUNT_BYTES,
  countAt,
  ENTRY_BYTES,
  placeOf,
  SUFFIX_BYTES,
  SUFFIX_DIGITS,
  suffixAt,
} from './bucket.ts';
import { entriesTextLength, entryTextLength } from './render-range.ts';

export type Padded = { readonly bucket: Buffer; readonly spaces: number };

const HALF_DIGITS = 16 ** (SUFFIX_DIGITS / 2);
const PADDING_TEXT = entryTextLength(0);

/**
 * Adds entries with a count of 0 until the text is as long as that of the longest bucket of the corpus, to the byte, so
 * that the length of an encrypted answer says nothing of its prefix. The added suffixes are none of the stored ones, and
 * the same for each call, so that all answers with one ETag are equal.
 */
export function padBucket(
  bucket: Buffer | null,
  { textMax, seed }: { readonly textMax: number; readonly seed: number },
): Padded {
  const missing = textMax - (bucket === null ? 0 : entriesTextLength(bucket));
  const added = Math.floor(missing / PADDING_TEXT);
  const suffixes = addedSuffixes(bucket, added, seed);
  return { bucket: merged(bucket, suffixes), spaces: missing - added * PADDING_TEXT };
}

/** Pseudo-random suffixes in ascending order, none of which the bucket has. */
function addedSuffixes(bucket: Buffer | null, added: number, seed: number): readonly number[] {
  const suffixes = new Set<number>();
  const next = randomSuffixes(seed);
  while (suffixes.size < added) {
    const suffix = next();
    if (bucket === null || placeOf(bucket, suffix) < 0) suffixes.add(suffix);
  }
  return [...suffixes].sort((a, b) => a - b);
}

/** Merges both in the layout of a bucket, without checksum, as it is only rendered. Added suffixes have the count 0. */
function merged(bucket: Buffer | null, added: readonly number[]): Buffer {
  const stored = bucket === null ? 0 : (bucket.length - CHECKSUM_BYTES) / ENTRY_BYTES;
  const total = stored + added.length;
  const out = Buffer.alloc(CHECKSUM_BYTES + total * ENTRY_BYTES);
  let [fromStored, fromAdded] = [0, 0];
  for (let at = 0; at < total; at += 1) {
    const place = CHECKSUM_BYTES + at * SUFFIX_BYTES;
    const next = added[fromAdded];
    if (
      bucket === null ||
      fromStored === stored ||
      (next !== undefined && next < suffixAt(bucket, fromStored))
    ) {
      out.writeUIntBE(next ?? 0, place, SUFFIX_BYTES);
      fromAdded += 1;
    } else {
      out.writeUIntBE(suffixAt(bucket, fromStored), place, SUFFIX_BYTES);
      const count = countAt(bucket, stored, fromStored);
      out.writeUInt32BE(count, CHECKSUM_BYTES + total * SUFFIX_BYTES + at * COUNT_BYTES);
      fromStored += 1;
    }
  }
  return out;
}

/** A fixed sequence for each seed (splitmix32). It hides nothing by itself: only lengths have to be equal. */
function randomSuffixes(seed: number): () => number {
  let state = seed >>> 0;
  const draw = (): number => {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % HALF_DIGITS;
  };
  return () => draw() * HALF_DIGITS + draw();
}
