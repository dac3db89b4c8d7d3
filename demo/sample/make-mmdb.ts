import { parseIndicator } from '../../server/src/domain/indicator/index.ts';

export type MmdbValue = string | number | { readonly [key: string]: MmdbValue } | readonly MmdbValue[];
type Node = { left: Slot; right: Slot };
type Slot = Node | { readonly record: number } | null;

const EPOCH_S = 1_780_000_000;
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const RECORD_BYTES = 3;
const SEPARATOR_BYTES = 16;

/** A MaxMind DB of IPv4 and IPv6 networks, as the format's specification describes it (24-bit records). */
export function makeMmdb(
  networks: Readonly<Record<string, MmdbValue>>,
  { type = 'Test-City', builtAtS = EPOCH_S }: { readonly type?: string; readonly builtAtS?: number } = {},
): Buffer {
  const data: Buffer[] = [];
  let offset = 0;
  const root: Node = { left: null, right: null };
  for (const [network, value] of Object.entries(networks)) {
    const encoded = encode(value);
    insert(root, bitsOf(network), { record: offset });
    data.push(encoded);
    offset += encoded.length;
  }
  const nodes = nodesOf(root);
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: builtAtS,
    database_type: type,
    description: { en: 'Made for a demonstration or a test' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: RECORD_BYTES * 8,
  });
  return Buffer.concat([treeOf(nodes), Buffer.alloc(SEPARATOR_BYTES), ...data, MARKER, metadata]);
}

/** The path of a network in the tree: IPv4 is below ::/96. */
function bitsOf(network: string): readonly number[] {
  const parsed = parseIndicator(network);
  if (!parsed.ok || parsed.indicator.kind !== 'cidr') throw new Error(`'${network}' is no range.`);
  const { indicator } = parsed;
  const bytes = Buffer.alloc(16);
  if (indicator.version === 4) bytes.writeUInt32BE(indicator.address, 12);
  else bytes.set(indicator.bytes);
  const length = indicator.version === 4 ? 96 + indicator.bits : indicator.bits;
  return Array.from({ length }, (_, at) => ((bytes[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1);
}

function insert(root: Node, bits: readonly number[], record: { readonly record: number }): void {
  let node = root;
  for (const [at, bit] of bits.entries()) {
    const side = bit === 0 ? 'left' : 'right';
    if (at === bits.length - 1) {
      node[side] = record;
      return;
    }
    const below = node[side];
    const next: Node = below !== null && 'left' in below ? below : { left: null, right: null };
    node[side] = next;
    node = next;
  }
}

function nodesOf(root: Node): readonly Node[] {
  const nodes = [root];
  for (const { left, right } of nodes)
    for (const below of [left, right]) if (below !== null && 'left' in below) nodes.push(below);
  return nodes;
}

function treeOf(nodes: readonly Node[]): Buffer {
  const numbers = new Map(nodes.map((node, at) => [node, at]));
  const numberOf = (slot: Slot): number => {
    if (slot === null) return nodes.length;
    return 'record' in slot ? nodes.length + SEPARATOR_BYTES + slot.record : (numbers.get(slot) ?? 0);
  };
  const tree = Buffer.alloc(nodes.length * 2 * RECORD_BYTES);
  for (const [at, { left, right }] of nodes.entries()) {
    tree.writeUIntBE(numberOf(left), at * 2 * RECORD_BYTES, RECORD_BYTES);
    tree.writeUIntBE(numberOf(right), at * 2 * RECORD_BYTES + RECORD_BYTES, RECORD_BYTES);
  }
  return tree;
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') return encodeNumber(value);
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as Readonly<Record<string, MmdbValue>>);
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([key, each]) => [encode(key), encode(each)]),
  ]);
}

function encodeNumber(value: number): Buffer {
  const isWhole = Number.isInteger(value) && value >= 0;
  const bytes = Buffer.alloc(isWhole ? 4 : 8);
  if (isWhole) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([control(isWhole ? 6 : 3, bytes.length), bytes]);
}

/** The control byte of a field: type and size. Sizes of 29 to 284 need one more byte; longer ones do not occur here. */
function control(type: number, size: number): Buffer {
  const [short, extra] = size < 29 ? [size, []] : [29, [size - 29]];
  return type < 8 ? Buffer.of((type << 5) | short, ...extra) : Buffer.of(short, type - 7, ...extra);
}
