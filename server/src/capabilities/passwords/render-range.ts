import { CHECKSUM_BYTES, COUNT_BYTES, ENTRY_BYTES, SUFFIX_BYTES, SUFFIX_DIGITS } from './bucket.ts';
import type { HashType } from './corpus-files.ts';
import { prefixText } from './corpus-head.ts';
import { SOURCE } from './source-words.ts';

/** The parts of an entry around its suffix and its count; `entryTextLength` counts them with one comma. */
const [OPENING, MIDDLE] = ['{"suffix":"', '","count":'];
const FIXED_TEXT = OPENING.length + SUFFIX_DIGITS + MIDDLE.length + '},'.length;
const [ZERO, SPACE, COMMA, CLOSING] = [0x30, 0x20, 0x2c, 0x7d];
/** Words of four bytes are written, so up to three bytes after the end of a part are overwritten by the next one. */
const OVERSHOOT = 4;

export const entryTextLength = (count: number): number => FIXED_TEXT + digitsOf(count);

/** The length of the entries of a checked bucket as text, with a comma after each. */
export function entriesTextLength(bucket: Buffer): number {
  const entries = entriesOf(bucket);
  let at = CHECKSUM_BYTES + entries * SUFFIX_BYTES;
  let length = entries * FIXED_TEXT;
  for (; at < bucket.length; at += COUNT_BYTES) length += digitsOf(bucket.readUInt32BE(at));
  return length;
}

export type RangeWords = {
  readonly prefix: number;
  readonly mode: HashType;
  readonly corpusUpdatedAt: string;
};

/**
 * The answer to a range call as bytes, equal to JSON.stringify up to `spaces`, which stand behind the last entry. Written
 * by hand, because making objects of 950 entries takes three times as long as all the rest of the call.
 */
export function renderRange(words: RangeWords, bucket: Buffer | null, spaces = 0): Buffer {
  const { prefix, mode, corpusUpdatedAt } = words;
  const head = `{"prefix":"${prefixText(prefix)}","mode":"${mode}","suffixLength":${SUFFIX_DIGITS},"entries":[`;
  const tail = `],"source":"${SOURCE}","corpusUpdatedAt":"${corpusUpdatedAt}"}`;
  const commas = bucket === null ? 0 : -1;
  const entriesLength = bucket === null ? 0 : entriesTextLength(bucket);
  const length = head.length + entriesLength + commas + spaces + tail.length;
  const out = Buffer.allocUnsafe(length + OVERSHOOT);
  let at = out.write(head, 0, 'latin1');
  if (bucket !== null) at = writeEntries(out, at, bucket) - 1;
  out.fill(SPACE, at, at + spaces);
  out.write(tail, at + spaces, 'latin1');
  return out.subarray(0, length);
}

const HEX = hexPairs();
const word = (text: string, at: number): number => Buffer.from(text.padEnd(16)).readUInt32BE(at);
const [OPENING_0, OPENING_4, OPENING_8] = [word(OPENING, 0), word(OPENING, 4), word(OPENING, 8)];
const [MIDDLE_0, MIDDLE_4, MIDDLE_8] = [word(MIDDLE, 0), word(MIDDLE, 4), word(MIDDLE, 8)];

/** Returns the place after the comma of the last entry. */
function writeEntries(out: Buffer, start: number, bucket: Buffer): number {
  const view = new DataView(out.buffer, out.byteOffset, out.length);
  const counts = CHECKSUM_BYTES + entriesOf(bucket) * SUFFIX_BYTES;
  let at = start;
  let countAt = counts;
  for (let from = CHECKSUM_BYTES; from < counts; from += SUFFIX_BYTES) {
    view.setUint32(at, OPENING_0);
    view.setUint32(at + 4, OPENING_4);
    view.setUint32(at + 8, OPENING_8);
    at += OPENING.length;
    for (let byte = 0; byte < SUFFIX_BYTES; byte += 1)
      view.setUint16(at + byte * 2, HEX[bucket[from + byte] as number] as number);
    at += SUFFIX_DIGITS;
    view.setUint32(at, MIDDLE_0);
    view.setUint32(at + 4, MIDDLE_4);
    view.setUint32(at + 8, MIDDLE_8);
    at = writeCount(out, at + MIDDLE.length, bucket.readUInt32BE(countAt));
    countAt += COUNT_BYTES;
    out[at] = CLOSING;
    out[at + 1] = COMMA;
    at += 2;
  }
  return at;
}

function writeCount(out: Buffer, at: number, count: number): number {
  if (count < 10) {
    out[at] = ZERO + count;
    return at + 1;
  }
  const end = at + digitsOf(count);
  let left = count;
  for (let place = end - 1; place >= at; place -= 1) {
    const tens = Math.floor(left / 10);
    out[place] = ZERO + left - tens * 10;
    left = tens;
  }
  return end;
}

function digitsOf(count: number): number {
  if (count < 10) return 1;
  let digits = 2;
  for (let limit = 100; count >= limit; limit *= 10) digits += 1;
  return digits;
}

const entriesOf = (bucket: Buffer): number => (bucket.length - CHECKSUM_BYTES) / ENTRY_BYTES;

/** The two digits of each byte as a number of 16 bits. */
function hexPairs(): Uint16Array {
  const pairs = new Uint16Array(256);
  for (let byte = 0; byte < 256; byte += 1)
    pairs[byte] = Buffer.from(byte.toString(16).toUpperCase().padStart(2, '0')).readUInt16BE();
  return pairs;
}
