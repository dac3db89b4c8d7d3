import { COUNT_MAX, PREFIX_DIGITS, SUFFIX_DIGITS } from './bucket.ts';
import { HASH_DIGITS, type HashType } from './corpus-files.ts';

/** Thrown for lists that cannot be loaded. The message is for the operator and quotes nothing from the lists. */
export class PasswordsRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PasswordsRefused';
  }
}

export type TakeHash = (prefix: number, suffix: number, count: number) => void;

const [LF, CR, COLON, ZERO, LESS_THAN] = [10, 13, 58, 48, 60];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const COUNT_DIGITS_MAX = 10;
const NOT_A_DIGIT = 0xff;
const DIGITS = hexDigits();

/**
 * Reads the Have I Been Pwned layouts from bytes in pieces of any size: `HASH:COUNT` ordered by hash, in one file or in
 * several that follow each other, and `REST:COUNT` in a file for each prefix.
 */
export class HashLines {
  readonly #type: HashType;
  readonly #take: TakeHash;
  #rest: Buffer = Buffer.alloc(0);
  #isBegun = false;
  #line = 0;
  #afterByte = 0;
  #hasBefore = false;
  /** The prefix of all lines of a range file; null: lines hold whole hashes. */
  #prefix: number | null = null;
  #digits: number;
  #now: Uint8Array;
  #before: Uint8Array;

  constructor(type: HashType, take: TakeHash) {
    [this.#type, this.#take, this.#digits] = [type, take, HASH_DIGITS[type]];
    [this.#now, this.#before] = [new Uint8Array(this.#digits), new Uint8Array(this.#digits)];
  }

  /** Begins a file of whole hashes, at `afterByte`. Its hashes follow those of the file before. */
  beginList(afterByte = 0): void {
    this.#begin(HASH_DIGITS[this.#type], null);
    this.#afterByte = afterByte;
  }

  /** Begins a range file: each line has a hash of this prefix without the prefix. */
  beginRange(prefix: number): void {
    this.#begin(HASH_DIGITS[this.#type] - PREFIX_DIGITS, prefix);
    this.#hasBefore = false;
  }

  #begin(digits: number, prefix: number | null): void {
    [this.#digits, this.#prefix, this.#line, this.#afterByte] = [digits, prefix, 0, 0];
    [this.#isBegun, this.#rest] = [false, Buffer.alloc(0)];
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

  /** The last line of a range file has no line end, because the downloader writes what the service sent. */
  end(): void {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    if (rest.length === 0) return;
    refusePage(rest);
    if (this.#prefix === null)
      throw new PasswordsRefused(
        `${this.#place(this.#line + 1)} does not end: the file was cut off. Download it again; if it is whole, add a line feed.`,
      );
    this.#readLine(rest, 0, rest.at(-1) === CR ? rest.length - 1 : rest.length);
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
    if (this.#hasBefore && !isAfter(now, this.#before, digits))
      throw new PasswordsRefused(
        `${this.#place(this.#line)} does not come after the line before it: the hashes must be in order, each once.`,
      );
    this.#hasBefore = true;
    const given = this.#prefix === null ? PREFIX_DIGITS : 0;
    const prefix = this.#prefix ?? numberOf(now, 0, PREFIX_DIGITS);
    this.#take(prefix, numberOf(now, given, given + SUFFIX_DIGITS), count);
    [this.#now, this.#before] = [this.#before, now];
  }

  #place(line: number): string {
    return this.#afterByte === 0 ? `Line ${line}` : `Line ${line} after byte ${this.#afterByte}`;
  }

  #malformed(line: number): PasswordsRefused {
    return new PasswordsRefused(
      `${this.#place(line)} is not ${this.#digits} hexadecimal digits, a colon and a count: this is no list of ${NAMES[this.#type]} hashes.`,
    );
  }
}

const NAMES: Readonly<Record<HashType, string>> = { sha1: 'SHA-1', ntlm: 'NTLM' };

/** Refuses a web page, which captive portals and proxies send instead of the file. */
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

function isAfter(now: Uint8Array, before: Uint8Array, digits: number): boolean {
  for (let at = 0; at < digits; at += 1)
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
