import { COUNT_MAX, PREFIX_DIGITS, PREFIXES, SUFFIX_DIGITS } from './bucket.ts';
import { HASH_DIGITS, type HashType } from './corpus-files.ts';

/** The file cannot be loaded. The message is for the operator and quotes nothing of the file. */
export class PasswordsRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PasswordsRefused';
  }
}

export type TakeHash = (prefix: number, suffix: number, count: number) => void;
export type LinesSummary = { readonly entries: number };

const [LF, CR, COLON, ZERO, LESS_THAN] = [10, 13, 58, 48, 60];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const COUNT_DIGITS_MAX = 10;
const KEY_DIGITS = PREFIX_DIGITS + SUFFIX_DIGITS;
const SUFFIXES = 16 ** SUFFIX_DIGITS;
const NOT_A_DIGIT = 0xff;
const DIGITS = hexDigits();
/**
 * Hashes are evenly distributed, so the widest gap between n of them is about ln(n)/n of the whole; a gap wider by 30/n
 * occurs in one honest file in 10^13. A file that was cut at the end of a line, or lacks a part in the middle, is thus
 * detected without knowing its length.
 */
const GAP_SLACK = 30;

/** Reads the Have I Been Pwned layout, `HASH:COUNT` ordered by hash, from bytes in pieces of any size. */
export class HashLines {
  readonly #type: HashType;
  readonly #digits: number;
  readonly #take: TakeHash;
  #rest: Buffer = Buffer.alloc(0);
  #isBegun = false;
  #line = 0;
  #entries = 0;
  #position = 0;
  #widestGap = 0;
  #now: Uint8Array;
  #before: Uint8Array;

  constructor(type: HashType, take: TakeHash) {
    [this.#type, this.#digits, this.#take] = [type, HASH_DIGITS[type], take];
    [this.#now, this.#before] = [new Uint8Array(this.#digits), new Uint8Array(this.#digits)];
  }

  read(piece: Buffer): void {
    let bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    if (!this.#isBegun) {
      if (bytes.length < BOM.length) {
        this.#rest = bytes;
        return;
      }
      if (bytes.subarray(0, BOM.length).equals(BOM)) bytes = bytes.subarray(BOM.length);
      refusePage(bytes);
      this.#isBegun = true;
    }
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      this.#readLine(bytes, start, bytes[end - 1] === CR && end > start ? end - 1 : end);
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    // Bounds the buffer for a file without line ends.
    if (this.#rest.length > this.#digits + 2 + COUNT_DIGITS_MAX) throw this.#malformed(this.#line + 1);
  }

  end(): LinesSummary {
    if (this.#rest.length > 0) {
      refusePage(this.#rest);
      throw new PasswordsRefused(
        `Line ${this.#line + 1} does not end: the file was cut off. Download it again; if it is whole, add a line feed.`,
      );
    }
    if (this.#entries === 0) throw new PasswordsRefused('The file holds no hashes.');
    this.#noteGap(1);
    if (this.#widestGap * this.#entries > Math.log(this.#entries) + GAP_SLACK)
      throw new PasswordsRefused(
        `The file is not complete: no hash lies in a stretch of ${(this.#widestGap * 100).toPrecision(2)} % of all possible ones.`,
      );
    return { entries: this.#entries };
  }

  #readLine(bytes: Buffer, start: number, end: number): void {
    this.#line += 1;
    const [now, digits] = [this.#now, this.#digits];
    const colon = start + digits;
    if (bytes[colon] !== COLON || colon >= end) throw this.#malformed(this.#line);
    for (let at = 0; at < digits; at += 1) {
      const digit = DIGITS[bytes[start + at] as number] as number;
      if (digit === NOT_A_DIGIT) throw this.#malformed(this.#line);
      now[at] = digit;
    }
    const count = countAt(bytes, colon + 1, end);
    if (count === 0) throw this.#malformed(this.#line);
    if (this.#entries > 0 && !isAfter(now, this.#before))
      throw new PasswordsRefused(
        `Line ${this.#line} does not come after the line before it: the file must be ordered by hash, each hash once.`,
      );
    this.#entries += 1;
    const prefix = numberOf(now, 0, PREFIX_DIGITS);
    const suffix = numberOf(now, PREFIX_DIGITS, KEY_DIGITS);
    this.#noteGap((prefix + suffix / SUFFIXES) / PREFIXES);
    this.#take(prefix, suffix, count);
    [this.#now, this.#before] = [this.#before, now];
  }

  #noteGap(position: number): void {
    const gap = position - this.#position;
    if (gap > this.#widestGap) this.#widestGap = gap;
    this.#position = position;
  }

  #malformed(line: number): PasswordsRefused {
    return new PasswordsRefused(
      `Line ${line} is not ${this.#digits} hexadecimal digits, a colon and a count: this is no list of ${NAMES[this.#type]} hashes.`,
    );
  }
}

const NAMES: Readonly<Record<HashType, string>> = { sha1: 'SHA-1', ntlm: 'NTLM' };

/** Portals and proxies send web pages instead of the file. */
function refusePage(bytes: Buffer): void {
  if (bytes.toString('latin1', 0, 256).trimStart().codePointAt(0) === LESS_THAN)
    throw new PasswordsRefused('The file is a web page, not a list of hashes.');
}

/** 0 when there is no count of at least 1; a count that is too large becomes the largest that fits. */
function countAt(bytes: Buffer, start: number, end: number): number {
  if (end <= start || end - start > COUNT_DIGITS_MAX) return 0;
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return 0;
    count = count * 10 + digit;
  }
  return Math.min(count, COUNT_MAX);
}

function numberOf(digits: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 16 + (digits[at] as number);
  return value;
}

function isAfter(now: Uint8Array, before: Uint8Array): boolean {
  for (let at = 0; at < now.length; at += 1)
    if (now[at] !== before[at]) return (now[at] as number) > (before[at] as number);
  return false;
}

function hexDigits(): Uint8Array {
  const digits = new Uint8Array(256).fill(NOT_A_DIGIT);
  for (let value = 0; value < 16; value += 1) {
    const text = value.toString(16);
    for (const letter of [text, text.toUpperCase()]) digits[letter.charCodeAt(0)] = value;
  }
  return digits;
}
