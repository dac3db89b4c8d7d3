import {
  CHECKSUM_BYTES,
  COUNT_BYTES,
  COUNT_MAX,
  ENTRY_BYTES,
  SUFFIX_BYTES,
  SUFFIX_DIGITS,
} from './bucket.ts';
import type { HashType } from './corpus-files.ts';
import { prefixText } from './corpus-head.ts';
import { SOURCE } from './source-words.ts';

/** The parts of an entry around its suffix and its count; `entryTextLength` counts them with one comma. */
const [OPENING, MIDDLE] = ['{"suffix":"', '","count":'];
const FIXED_TEXT = OPENING.length + SUFFIX_DIGITS + MIDDLE.length + '},'.length;
const ENTRY_TEXT_MAX = FIXED_TEXT + String(COUNT_MAX).length;
const [ZERO, SPACE] = [0x30, 0x20];
/** `},` */
const CLOSING = 0x7d2c;
/** Words of four bytes are written, so up to three bytes after the end of a part are overwritten by the next one. */
const OVERSHOOT = 4;

export const entryTextLength = (count: number): number => FIXED_TEXT + digitsOf(count);

/** The length of the entries of a checked bucket as text, with a comma after each. */
export function entriesTextLength(bucket: Buffer): number {
  const entries = entriesOf(bucket);
  const view = new DataView(bucket.buffer, bucket.byteOffset, bucket.length);
  let length = entries * FIXED_TEXT;
  for (let at = CHECKSUM_BYTES + entries * SUFFIX_BYTES; at < bucket.length; at += COUNT_BYTES)
    length += digitsOf(view.getUint32(at));
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
  // Allocated for the longest possible entries, because counting their digits first would read all counts twice.
  const entriesMax = bucket === null ? 0 : entriesOf(bucket) * ENTRY_TEXT_MAX;
  const out = Buffer.allocUnsafe(head.length + entriesMax + spaces + tail.length + OVERSHOOT);
  let at = out.write(head, 0, 'latin1');
  if (bucket !== null) at = writeEntries(out, at, bucket) - 1;
  out.fill(SPACE, at, at + spaces);
  at += spaces;
  return out.subarray(0, at + out.write(tail, at, 'latin1'));
}

const HEX = hexWords();
const word = (text: string, at: number): number => Buffer.from(text.padEnd(16)).readUInt32BE(at);
const [OPENING_0, OPENING_4, OPENING_8] = [word(OPENING, 0), word(OPENING, 4), word(OPENING, 8)];
const [MIDDLE_0, MIDDLE_4, MIDDLE_8] = [word(MIDDLE, 0), word(MIDDLE, 4), word(MIDDLE, 8)];

/** Returns the place after the comma of the last entry. Uses DataView, whose access V8 compiles to machine code. */
function writeEntries(out: Buffer, start: number, bucket: Buffer): number {
  const to = new DataView(out.buffer, out.byteOffset, out.length);
  const from = new DataView(bucket.buffer, bucket.byteOffset, bucket.length);
  const counts = CHECKSUM_BYTES + entriesOf(bucket) * SUFFIX_BYTES;
  let at = start;
  let countAt = counts;
  for (let suffix = CHECKSUM_BYTES; suffix < counts; suffix += SUFFIX_BYTES) {
    to.setUint32(at, OPENING_0);
    to.setUint32(at + 4, OPENING_4);
    to.setUint32(at + 8, OPENING_8);
    at += OPENING.length;
    to.setUint32(at, HEX[from.getUint16(suffix)] as number);
    to.setUint32(at + 4, HEX[from.getUint16(suffix + 2)] as number);
    to.setUint32(at + 8, HEX[from.getUint16(suffix + 4)] as number);
    at += SUFFIX_DIGITS;
    to.setUint32(at, MIDDLE_0);
    to.setUint32(at + 4, MIDDLE_4);
    to.setUint32(at + 8, MIDDLE_8);
    at = writeCount(to, at + MIDDLE.length, from.getUint32(countAt));
    countAt += COUNT_BYTES;
    to.setUint16(at, CLOSING);
    at += 2;
  }
  return at;
}

function writeCount(to: DataView, at: number, count: number): number {
  if (count < 10) {
    to.setUint8(at, ZERO + count);
    return at + 1;
  }
  const end = at + digitsOf(count);
  let left = count;
  for (let place = end - 1; place >= at; place -= 1) {
    const tens = Math.floor(left / 10);
    to.setUint8(place, ZERO + left - tens * 10);
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

/** The four digits of each number of 16 bits, as the four bytes of their text. */
function hexWords(): Uint32Array {
  const words = new Uint32Array(65_536);
  for (let value = 0; value < words.length; value += 1)
    words[value] = Buffer.from(value.toString(16).toUpperCase().padStart(4, '0')).readUInt32BE();
  return words;
}
