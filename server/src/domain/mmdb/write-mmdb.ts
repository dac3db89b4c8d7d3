import { type MmdbValue, Uint, ValueWriter } from './encode-value.ts';
import type { FinishedTree } from './search-tree.ts';

export type MmdbDescription = {
  readonly databaseType: string;
  readonly description: string;
  readonly buildEpochS: number;
};

export type WrittenMmdb = {
  readonly nodeCount: number;
  readonly recordSize: 24 | 28 | 32;
  /** Search tree and records: the same bytes for the same networks, because the time of the build is not in them. */
  readonly content: () => Generator<Uint8Array>;
  /** The end of the file, which has the time of the build. */
  readonly metadata: (described: MmdbDescription) => Uint8Array;
};

const SEPARATOR_BYTES = 16;
const MARKER = Uint8Array.from([0xab, 0xcd, 0xef, ...new TextEncoder().encode('MaxMind.com')]);
const NODES_A_CHUNK = 65_536;
const LARGEST = { 24: 2 ** 24, 28: 2 ** 28, 32: 2 ** 32 } as const;

/** Numbers the records of a file and keeps each value once. */
export class RecordSet {
  readonly #numbers = new Map<string, number>();
  readonly #values: MmdbValue[] = [];

  numberOf(value: MmdbValue): number {
    const text = JSON.stringify(value);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#values.length;
    this.#values.push(value);
    this.#numbers.set(text, number);
    return number;
  }

  get values(): readonly MmdbValue[] {
    return this.#values;
  }
}

/** Writes a tree and its records as a MaxMind DB 2.0 file, in chunks. */
export function writeMmdb({ count, slots }: FinishedTree, records: readonly MmdbValue[]): WrittenMmdb {
  const data = new ValueWriter({ hasPointers: true });
  const offsets = records.map((record) => data.write(record));
  const recordSize = sizeFor(count + SEPARATOR_BYTES + data.bytes.length);
  const pointerOf = (slot: number): number =>
    slot <= count ? slot : count + SEPARATOR_BYTES + (offsets[slot - count - 1] as number);
  return {
    nodeCount: count,
    recordSize,
    content: function* () {
      for (let from = 0; from < count; from += NODES_A_CHUNK)
        yield nodesOf(slots, { from, to: Math.min(count, from + NODES_A_CHUNK), recordSize, pointerOf });
      yield new Uint8Array(SEPARATOR_BYTES);
      yield data.bytes;
    },
    metadata: (described) => metadataOf(described, count, recordSize),
  };
}

function sizeFor(largest: number): 24 | 28 | 32 {
  if (largest < LARGEST[24]) return 24;
  if (largest < LARGEST[28]) return 28;
  if (largest < LARGEST[32]) return 32;
  throw new RangeError('The format has at most 32 bits for nodes and records.');
}

type Piece = {
  readonly from: number;
  readonly to: number;
  readonly recordSize: 24 | 28 | 32;
  readonly pointerOf: (slot: number) => number;
};

function nodesOf(slots: Int32Array, { from, to, recordSize, pointerOf }: Piece): Uint8Array {
  const nodeBytes = recordSize / 4;
  const bytes = new Uint8Array((to - from) * nodeBytes);
  const view = new DataView(bytes.buffer);
  for (let node = from; node < to; node += 1) {
    const at = (node - from) * nodeBytes;
    const [left, right] = [pointerOf(slots[node * 2] as number), pointerOf(slots[node * 2 + 1] as number)];
    if (recordSize === 32) {
      view.setUint32(at, left);
      view.setUint32(at + 4, right);
      continue;
    }
    put24(bytes, at, left);
    put24(bytes, at + nodeBytes - 3, right);
    // With 28 bits the byte between both records holds the top four bits of the left one, then those of the right one.
    if (recordSize === 28) bytes[at + 3] = ((left >>> 24) << 4) | (right >>> 24);
  }
  return bytes;
}

function put24(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 16;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value;
}

function metadataOf(
  { databaseType, description, buildEpochS }: MmdbDescription,
  nodeCount: number,
  recordSize: number,
): Uint8Array {
  const writer = new ValueWriter({ hasPointers: false });
  writer.write({
    binary_format_major_version: new Uint(16, 2),
    binary_format_minor_version: new Uint(16, 0),
    build_epoch: new Uint(64, buildEpochS),
    database_type: databaseType,
    description: { en: description },
    ip_version: new Uint(16, 6),
    languages: ['en'],
    node_count: new Uint(32, nodeCount),
    record_size: new Uint(16, recordSize),
  });
  const bytes = new Uint8Array(MARKER.length + writer.bytes.length);
  bytes.set(MARKER);
  bytes.set(writer.bytes, MARKER.length);
  return bytes;
}
