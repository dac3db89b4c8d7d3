/**
 * The canonical values of one source, each with a fingerprint of its other facts. An unchanged line then costs one
 * comparison instead of a parse and a staged row. Values are held as one run of Latin-1 bytes (about 35 bytes per value
 * in total; a Map of strings takes four times that).
 */
export type KnownColumns = {
  readonly count: number;
  readonly listed: number;
  /** The end of each value in `bytes`. */
  readonly ends: Uint32Array;
  readonly prints: Uint32Array;
  /** Open addressing by hash: the index of a value plus one, or 0. */
  readonly slots: Int32Array;
  readonly bytes: Uint8Array;
};

/** Empty columns for `count` values, with room for new ones after them. The table owns the columns it is given. */
export function roomFor(count: number, slots: number, bytes: number): KnownColumns {
  const capacity = capacityOf(count);
  return {
    count,
    listed: 0,
    ends: new Uint32Array(capacity),
    prints: new Uint32Array(capacity),
    slots: new Int32Array(slots),
    bytes: new Uint8Array(bytes + (capacity - count) * BYTES_PER_VALUE),
  };
}

/** One sixteenth more than there is: a list rarely grows faster from one day to the next. */
const capacityOf = (count: number): number => Math.max(COUNT_MIN, count + (count >>> 4));

/** The fingerprint of an entry that has no facts besides its value. */
export const NO_PRINT = 0;
/** Marks a value with several sets of facts in one snapshot; its next rows always go to PostgreSQL. */
export const PRINT_UNKNOWN = 0xffff_ffff;
/** Marks a delisted value. It keeps its place until a quarter of all are such: moving the others costs more. */
export const PRINT_GONE = 0xffff_fffe;

const NOT_FOUND = -1;
const COUNT_MIN = 64;
const BYTES_PER_VALUE = 24;
const LATIN_1_MAX = 255;
const GONE_SHARE_MAX = 0.25;
/** At most five slots in eight are taken. */
const SLOTS_PER_VALUE = 1.6;

/** Flag: the value is in this snapshot, unchanged. */
const AS_KNOWN = 1;
/** Flag: the value is in this snapshot and its row was handed to PostgreSQL. */
const HANDED_OVER = 2;
/** Flag: rows with different facts were handed over for the value. */
const MIXED = 4;

export class KnownValues {
  /** The number of values known before this snapshot; later ones are new. */
  readonly countBefore: number;
  #count: number;
  #ends: Uint32Array;
  #prints: Uint32Array;
  /** For values known before: the fingerprint of the row that was handed over. Allocated on first use. */
  #handedOver: Uint32Array | null = null;
  #flags: Uint8Array;
  #bytes: Uint8Array;
  #slots: Int32Array;
  #last = NOT_FOUND;
  /** The last text that was not found, because it is often added next. */
  #missedText = '';
  #missedHash = 0;

  constructor(known: KnownColumns = roomFor(0, 0, 0)) {
    this.countBefore = known.count;
    this.#count = known.count;
    this.#ends = known.ends;
    this.#prints = known.prints;
    this.#bytes = known.bytes;
    this.#flags = new Uint8Array(known.ends.length);
    const isRoomy = known.slots.length >= known.ends.length * SLOTS_PER_VALUE;
    this.#slots = isRoomy ? known.slots : this.#index(known.ends.length);
  }

  get count(): number {
    return this.#count;
  }

  /** The index of the value with exactly this text, or -1. */
  find(text: string): number {
    // Publishers keep their order, so the value after the last one found usually matches.
    const next = this.#last + 1;
    if (next < this.#count && this.#equals(next, text)) {
      this.#last = next;
      return next;
    }
    const mask = this.#slots.length - 1;
    const hash = hashOf(text);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const index = (this.#slots[slot] as number) - 1;
      if (index < 0) break;
      if (!this.#equals(index, text)) continue;
      this.#last = index;
      return index;
    }
    this.#missedText = text;
    this.#missedHash = hash;
    return NOT_FOUND;
  }

  /** Records that the snapshot holds the value with this fingerprint. True: PostgreSQL must see the row. */
  offer(index: number, print: number): boolean {
    const flags = this.#flags[index] as number;
    if (index < this.countBefore && print === this.#prints[index]) {
      this.#flags[index] = flags | AS_KNOWN;
      return false;
    }
    if ((flags & HANDED_OVER) === 0) this.#flags[index] = flags | HANDED_OVER;
    else if (print === this.#handedOverOf(index)) return false;
    else this.#flags[index] = flags | MIXED;
    this.#keepHandedOver(index, print);
    return true;
  }

  #keepHandedOver(index: number, print: number): void {
    if (index >= this.countBefore) this.#prints[index] = print;
    else {
      this.#handedOver ??= new Uint32Array(this.countBefore);
      this.#handedOver[index] = print;
    }
  }

  #handedOverOf(index: number): number {
    return (index >= this.countBefore ? this.#prints[index] : this.#handedOver?.[index]) as number;
  }

  /** Like `offer`, for a value that is not known yet. */
  add(text: string, print: number): true {
    const index = this.#count;
    if (index === this.#ends.length) this.#growRows();
    const start = index === 0 ? 0 : (this.#ends[index - 1] as number);
    if (start + text.length > this.#bytes.length) this.#growBytes(start + text.length);
    this.#write(text, start);
    this.#ends[index] = start + text.length;
    this.#count = index + 1;
    this.#place(this.#slots, index, text === this.#missedText ? this.#missedHash : hashOf(text));
    return this.offer(index, print) as true;
  }

  /** Values listed before but not in the snapshot. */
  *gone(): Generator<string> {
    for (let index = 0; index < this.countBefore; index += 1)
      if (this.#flags[index] === 0 && this.#prints[index] !== PRINT_GONE) yield this.#textOf(index);
  }

  /** Values in the snapshot both unchanged and with other facts. */
  *twins(): Generator<{ readonly text: string; readonly print: number }> {
    const both = AS_KNOWN | HANDED_OVER;
    for (let index = 0; index < this.countBefore; index += 1)
      if (((this.#flags[index] as number) & both) === both)
        yield { text: this.#textOf(index), print: this.#prints[index] as number };
  }

  /** The known values after the snapshot, in their previous order, new values last. Ends the use of this table. */
  after(): KnownColumns {
    const prints = this.#prints;
    let listed = 0;
    for (let index = 0; index < this.#count; index += 1) {
      prints[index] = this.#printAfter(index);
      if (prints[index] !== PRINT_GONE) listed += 1;
    }
    if (this.#count - listed > this.#count * GONE_SHARE_MAX) this.#compact();
    const [count, length] = [this.#count, this.#count === 0 ? 0 : (this.#ends[this.#count - 1] as number)];
    return {
      count,
      listed,
      ends: this.#ends.subarray(0, count),
      prints: prints.subarray(0, count),
      slots: this.#slots,
      bytes: this.#bytes.subarray(0, length),
    };
  }

  #compact(): void {
    const [ends, prints, bytes] = [this.#ends, this.#prints, this.#bytes];
    let [count, length, start] = [0, 0, 0];
    for (let index = 0; index < this.#count; index += 1) {
      const end = ends[index] as number;
      if (prints[index] !== PRINT_GONE) {
        bytes.copyWithin(length, start, end);
        length += end - start;
        ends[count] = length;
        prints[count] = prints[index] as number;
        count += 1;
      }
      start = end;
    }
    this.#count = count;
    this.#slots = this.#index(capacityOf(count));
  }

  #printAfter(index: number): number {
    const flags = this.#flags[index] as number;
    if (flags === 0) return PRINT_GONE;
    if (flags === AS_KNOWN) return this.#prints[index] as number;
    return flags === HANDED_OVER ? this.#handedOverOf(index) : PRINT_UNKNOWN;
  }

  #equals(index: number, text: string): boolean {
    const start = index === 0 ? 0 : (this.#ends[index - 1] as number);
    const length = (this.#ends[index] as number) - start;
    if (length !== text.length) return false;
    const bytes = this.#bytes;
    for (let at = 0; at < length; at += 1) if (bytes[start + at] !== text.charCodeAt(at)) return false;
    return true;
  }

  /** Canonical values are ASCII (decisions 3.1). */
  #write(text: string, start: number): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > LATIN_1_MAX) throw new Error('A canonical value holds only Latin-1 characters.');
      this.#bytes[start + at] = code;
    }
  }

  #textOf(index: number): string {
    const start = index === 0 ? 0 : (this.#ends[index - 1] as number);
    const end = this.#ends[index] as number;
    return Buffer.from(this.#bytes.buffer, start, end - start).toString('latin1');
  }

  #growRows(): void {
    const capacity = this.#ends.length * 2;
    this.#ends = copied(this.#ends, capacity);
    this.#prints = copied(this.#prints, capacity);
    const flags = new Uint8Array(capacity);
    flags.set(this.#flags);
    this.#flags = flags;
    this.#slots = this.#index(capacity);
  }

  #growBytes(needed: number): void {
    const bytes = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #index(capacity: number): Int32Array {
    let size = COUNT_MIN;
    while (size < capacity * SLOTS_PER_VALUE) size *= 2;
    const slots = new Int32Array(size);
    let start = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const end = this.#ends[index] as number;
      this.#place(slots, index, hashOfBytes(this.#bytes, start, end));
      start = end;
    }
    return slots;
  }

  #place(slots: Int32Array, index: number, hash: number): void {
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = index + 1;
  }
}

function copied(from: Uint32Array, capacity: number): Uint32Array {
  const to = new Uint32Array(capacity);
  to.set(from);
  return to;
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export function hashOf(text: string, start = FNV_START): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return mixed(hash);
}

function hashOfBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = FNV_START;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
  return mixed(hash);
}

/** The final steps of murmur3; without them neighbouring addresses get neighbouring slots. */
export function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
