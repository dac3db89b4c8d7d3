import { formatIpv4, formatIpv6, NOT_IPV4, readIpv4, readIpv6 } from '#domain/indicator/index.ts';
import type { ListEntry } from '../list-entry.ts';

/** An aligned block of addresses, and the strongest of the entries that it was made of. */
export type AddressBlock = {
  readonly version: 4 | 6;
  readonly start: bigint;
  readonly bits: number;
  readonly entry: ListEntry;
};

export type AddressUnion = {
  readonly v4: readonly AddressBlock[];
  readonly v6: readonly AddressBlock[];
  /** Entries that are not addresses; a list of addresses has none. */
  readonly left: number;
};

const WIDTH = { 4: 32, 6: 128 } as const;

/**
 * The same set of addresses in the fewest aligned blocks, in address order. Packet filters refuse or merge what overlaps,
 * so that they would count other numbers than the file. Every entry lies in exactly one block: an aligned block inside
 * the union lies inside one of its largest aligned blocks.
 */
export function unionOf(entries: readonly ListEntry[]): AddressUnion {
  const read = entries.map(readBlock);
  const known = read.filter((block) => block !== null);
  return {
    v4: mergeBlocks(known.filter(({ version }) => version === 4)),
    v6: mergeBlocks(known.filter(({ version }) => version === 6)),
    left: read.length - known.length,
  };
}

export function readBlock(entry: ListEntry): AddressBlock | null {
  const [address = '', bitsText, more] = entry.value.split('/');
  if (more !== undefined) return null;
  const v4 = readIpv4(address);
  const version = v4 === NOT_IPV4 ? 6 : 4;
  const bits = bitsOf(bitsText, WIDTH[version]);
  if (bits === null) return null;
  const start = version === 4 ? BigInt(v4) : readNumber6(address);
  if (start === null || start % sizeOf(version, bits) !== 0n) return null;
  return { version, start, bits, entry };
}

function bitsOf(text: string | undefined, width: number): number | null {
  if (text === undefined) return width;
  return /^\d{1,3}$/.test(text) && Number(text) <= width ? Number(text) : null;
}

function readNumber6(text: string): bigint | null {
  const bytes = readIpv6(text);
  return bytes === null ? null : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

const sizeOf = (version: 4 | 6, bits: number): bigint => 1n << BigInt(WIDTH[version] - bits);

/** Works on a stack in address order: two halves of a larger block are always neighbours, and joining may cascade. */
function mergeBlocks(blocks: readonly AddressBlock[]): readonly AddressBlock[] {
  const merged: AddressBlock[] = [];
  for (const block of blocks.toSorted(byAddress)) {
    const last = merged.at(-1);
    if (last !== undefined && block.start < last.start + sizeOf(last.version, last.bits)) {
      merged[merged.length - 1] = { ...last, entry: stronger(last.entry, block.entry) };
      continue;
    }
    merged.push(block);
    joinHalves(merged);
  }
  return merged;
}

function joinHalves(merged: AddressBlock[]): void {
  while (merged.length > 1) {
    const upper = merged.at(-1) as AddressBlock;
    const lower = merged.at(-2) as AddressBlock;
    const size = sizeOf(lower.version, lower.bits);
    const isPair =
      lower.bits > 0 &&
      lower.bits === upper.bits &&
      lower.start + size === upper.start &&
      lower.start % (size * 2n) === 0n;
    if (!isPair) return;
    merged.splice(-2, 2, {
      ...lower,
      bits: lower.bits - 1,
      entry: stronger(lower.entry, upper.entry),
    });
  }
}

/** By first address; at the same address the wider block first. */
const byAddress = (a: AddressBlock, b: AddressBlock): number => {
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  return a.bits - b.bits;
};

const stronger = (a: ListEntry, b: ListEntry): ListEntry => (b.score > a.score ? b : a);

export const isSingle = ({ version, bits }: AddressBlock): boolean => bits === WIDTH[version];

export const addressText = ({ version, start }: Pick<AddressBlock, 'version' | 'start'>): string =>
  version === 4
    ? formatIpv4(Number(start))
    : formatIpv6(Buffer.from(start.toString(16).padStart(32, '0'), 'hex'));

/** `192.0.2.1` or `192.0.2.0/24`. */
export const blockText = (block: AddressBlock): string =>
  isSingle(block) ? addressText(block) : `${addressText(block)}/${block.bits}`;

/** `192.0.2.1/32`, for readers that want a length on everything. */
export const prefixText = (block: AddressBlock): string => `${addressText(block)}/${block.bits}`;
