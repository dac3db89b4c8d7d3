import { CHECKSUM_BYTES, COUNT_BYTES, ENTRY_BYTES, SUFFIX_BYTES, SUFFIX_DIGITS, suffixAt } from './bucket.ts';
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
  const stored = bucket === null ? 0 : (bucket.length - CHECKSUM_BYTES) / ENTRY_BYTES;
  const suffixes = new Float64Array(stored + added);
  const counts = new Map<number, number>();
  for (let at = 0; at < stored && bucket !== null; at += 1) {
    suffixes[at] = suffixAt(bucket, at);
    counts.set(
      suffixes[at] as number,
      bucket.readUInt32BE(CHECKSUM_BYTES + stored * SUFFIX_BYTES + at * COUNT_BYTES),
    );
  }
  const next = randomSuffixes(seed);
  for (let at = stored; at < suffixes.length; ) {
    const suffix = next();
    if (counts.has(suffix)) continue;
    counts.set(suffix, 0);
    suffixes[at] = suffix;
    at += 1;
  }
  return { bucket: packUnchecked(suffixes.sort(), counts), spaces: missing - added * PADDING_TEXT };
}

/** In the layout of a bucket, without its checksum: it is only rendered. */
function packUnchecked(suffixes: Float64Array, counts: ReadonlyMap<number, number>): Buffer {
  const bucket = Buffer.alloc(CHECKSUM_BYTES + suffixes.length * ENTRY_BYTES);
  let at = CHECKSUM_BYTES;
  for (const suffix of suffixes) at = bucket.writeUIntBE(suffix, at, SUFFIX_BYTES);
  for (const suffix of suffixes) at = bucket.writeUInt32BE(counts.get(suffix) ?? 0, at);
  return bucket;
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
