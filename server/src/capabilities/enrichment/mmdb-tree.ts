import type { Metadata } from 'mmdb-lib/lib/metadata.js';

/** One network of a MaxMind DB. `first` is reused, so copy it to keep it. */
export type Leaf = {
  readonly version: 4 | 6;
  readonly first: Uint8Array;
  readonly bits: number;
  /** Offset of its record in the data section; equal offsets are equal records. */
  readonly offset: number;
};

export class BrokenTree extends Error {}

const SEPARATOR_BYTES = 16;
const [NEW, OPEN, DONE] = [0, 1, 2];
const IPV4_DEPTH = 96;

/**
 * Walks the whole search tree once and emits every network. Verifies what a lookup relies on: no node leads back to one
 * above it, no record points outside the data section, no path is longer than an address. Subtrees that occur twice
 * (IPv4 below ::/96 and again as mapped and 6to4 addresses) are emitted at their first occurrence.
 */
export function walkTree(
  db: Buffer,
  metadata: Metadata,
  dataEnd: number,
  onLeaf: (leaf: Leaf) => void,
): void {
  const { nodeCount, recordSize, nodeByteSize, searchTreeSize, ipVersion } = metadata;
  const depthMax = ipVersion === 4 ? 32 : 128;
  const dataBytes = dataEnd - searchTreeSize - SEPARATOR_BYTES;
  if (nodeCount < 1 || dataBytes < 1 || (ipVersion !== 4 && ipVersion !== 6))
    throw new BrokenTree('its description and its size do not fit');
  const state = new Uint8Array(nodeCount);
  const path = new Uint8Array(depthMax / 8);
  const read = recordReader(db, recordSize, nodeByteSize);
  const follow = (value: number, depth: number): void => {
    if (value === nodeCount) return;
    if (value > nodeCount) {
      const offset = value - nodeCount - SEPARATOR_BYTES;
      if (offset < 0 || offset >= dataBytes) throw new BrokenTree('a network points outside the data');
      onLeaf(leafOf(path, depth, offset));
    } else if (state[value] === OPEN || depth >= depthMax)
      throw new BrokenTree('its search tree has a cycle');
    else if (state[value] === NEW) visit(value, depth);
  };
  // At most 128 levels deep, because an address has no more bits.
  const visit = (node: number, depth: number): void => {
    const [byte, bit] = [depth >>> 3, 0x80 >>> (depth & 7)];
    state[node] = OPEN;
    follow(read(node, 0), depth + 1);
    path[byte] = (path[byte] as number) | bit;
    follow(read(node, 1), depth + 1);
    path[byte] = (path[byte] as number) & ~bit;
    state[node] = DONE;
  };
  visit(0, 0);
}

/** IPv4 networks lie below ::/96 of an IPv6 tree. */
function leafOf(path: Uint8Array, depth: number, offset: number): Leaf {
  if (path.length === 4) return { version: 4, first: path, bits: depth, offset };
  const isIpv4 = depth >= IPV4_DEPTH && path.subarray(0, IPV4_DEPTH / 8).every((byte) => byte === 0);
  return isIpv4
    ? { version: 4, first: path.subarray(IPV4_DEPTH / 8), bits: depth - IPV4_DEPTH, offset }
    : { version: 6, first: path, bits: depth, offset };
}

/** Byte by byte, because a lookup reads up to 32 records and `readUIntBE` checks its arguments each time. */
function recordReader(
  db: Buffer,
  recordSize: number,
  nodeBytes: number,
): (node: number, side: 0 | 1) => number {
  const three = (at: number): number =>
    ((db[at] as number) << 16) | ((db[at + 1] as number) << 8) | (db[at + 2] as number);
  if (recordSize === 24) return (node, side) => three(node * nodeBytes + side * 3);
  if (recordSize === 32)
    return (node, side) => {
      const at = node * nodeBytes + side * 4;
      return three(at) * 0x100 + (db[at + 3] as number);
    };
  return (node, side) => {
    const at = node * nodeBytes;
    const middle = db[at + 3] as number;
    const high = side === 0 ? middle >>> 4 : middle & 0x0f;
    return high * 0x100_0000 + three(at + side * 4);
  };
}

/** Finds the network of an IPv4 address. Null where the file has none; equal numbers are equal records. */
export function ipv4Finder(db: Buffer, metadata: Metadata): (address: number) => number | null {
  const { nodeCount, recordSize, nodeByteSize, ipVersion } = metadata;
  const read = recordReader(db, recordSize, nodeByteSize);
  let root = 0;
  if (ipVersion === 6)
    for (let depth = 0; depth < IPV4_DEPTH && root < nodeCount; depth += 1) root = read(root, 0);
  return (address) => {
    let value = root;
    for (let bit = 31; bit >= 0 && value < nodeCount; bit -= 1)
      value = read(value, ((address >>> bit) & 1) as 0 | 1);
    return value > nodeCount ? value : null;
  };
}
