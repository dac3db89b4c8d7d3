/** An unsigned number with its width, because the MaxMind DB format has no number without one. */
export class Uint {
  readonly bits: 16 | 32 | 64;
  readonly value: number;
  constructor(bits: 16 | 32 | 64, value: number) {
    if (!Number.isSafeInteger(value) || value < 0 || value >= 2 ** bits)
      throw new RangeError(`${value} does not fit ${bits} bits.`);
    this.bits = bits;
    this.value = value;
  }
}

export type MmdbValue =
  | string
  | boolean
  | Uint
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue };

const TYPES = { pointer: 1, string: 2, map: 7, array: 11, boolean: 14 } as const;
const UINT_TYPES = { 16: 5, 32: 6, 64: 9 } as const;
const FIRST_EXTENDED = 8;
/** Texts from this length are written once and then pointed to; a pointer takes at most five bytes. */
const SHARED_FROM = 4;
const utf8 = new TextEncoder();

/**
 * Writes values in the binary form of the MaxMind DB format, one after another. A repeated text becomes a pointer to
 * its first place, so that names of sources and categories stand in the file once.
 */
export class ValueWriter {
  #bytes = new Uint8Array(1_024);
  #length = 0;
  readonly #texts = new Map<string, number>();
  readonly #hasPointers: boolean;

  /** The metadata of a file has no pointers, because readers decode it without the section they point into. */
  constructor({ hasPointers }: { readonly hasPointers: boolean }) {
    this.#hasPointers = hasPointers;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes a value and returns the offset at which it begins. */
  write(value: MmdbValue): number {
    const start = this.#length;
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'boolean') this.#control(TYPES.boolean, value ? 1 : 0);
    else if (value instanceof Uint) this.#number(value);
    else if (Array.isArray(value)) {
      this.#control(TYPES.array, value.length);
      for (const each of value as readonly MmdbValue[]) this.write(each);
    } else {
      const entries = Object.entries(value as Readonly<Record<string, MmdbValue>>);
      this.#control(TYPES.map, entries.length);
      for (const [key, each] of entries) {
        this.#text(key);
        this.write(each);
      }
    }
    return start;
  }

  #text(text: string): void {
    const before = this.#texts.get(text);
    if (before !== undefined) {
      this.#pointer(before);
      return;
    }
    const bytes = utf8.encode(text);
    if (this.#hasPointers && bytes.length >= SHARED_FROM) this.#texts.set(text, this.#length);
    this.#control(TYPES.string, bytes.length);
    this.#append(bytes);
  }

  /** Leading zero bytes are left out, so 0 has no bytes at all. */
  #number({ bits, value }: Uint): void {
    const bytes: number[] = [];
    for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
    this.#control(UINT_TYPES[bits], bytes.length);
    this.#append(bytes);
  }

  #pointer(to: number): void {
    const first = TYPES.pointer << 5;
    if (to < 2_048) this.#append([first | (to >>> 8), to & 0xff]);
    else if (to < 526_336) this.#sized(first | (1 << 3), to - 2_048, 2);
    else if (to < 134_744_064) this.#sized(first | (2 << 3), to - 526_336, 3);
    else this.#append([first | (3 << 3), ...bytesOf(to, 4)]);
  }

  #sized(first: number, value: number, tail: number): void {
    this.#append([first | Math.floor(value / 256 ** tail), ...bytesOf(value % 256 ** tail, tail)]);
  }

  #control(type: number, size: number): void {
    const [short, extra] = sizeOf(size);
    if (type < FIRST_EXTENDED) this.#append([(type << 5) | short, ...extra]);
    else this.#append([short, type - 7, ...extra]);
  }

  #append(bytes: ArrayLike<number>): void {
    if (this.#length + bytes.length > this.#bytes.length) {
      const grown = new Uint8Array((this.#length + bytes.length) * 2);
      grown.set(this.bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}

function sizeOf(size: number): readonly [short: number, extra: readonly number[]] {
  if (size < 29) return [size, []];
  if (size < 285) return [29, [size - 29]];
  if (size < 65_821) return [30, bytesOf(size - 285, 2)];
  if (size < 16_843_036) return [31, bytesOf(size - 65_821, 3)];
  throw new RangeError('A value of the format has at most 16,843,035 bytes or entries.');
}

const bytesOf = (value: number, length: number): readonly number[] =>
  Array.from({ length }, (_, at) => Math.floor(value / 256 ** (length - 1 - at)) % 256);
