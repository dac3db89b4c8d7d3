import { formatIpv4, formatIpv6, type Ip } from '#domain/indicator/index.ts';

/** A published network needs one or two blocks; two addresses that need more than 32 are not a network. */
const IPV6_BLOCKS_MAX = 32;
const IPV6_SPAN_MAX = 1n << 112n;
const IPV4_BLOCKS_MAX = 62;

/**
 * The fewest CIDRs that hold every address from first to last and no other, in order. Null when there is no such range:
 * in the wrong order, of two IP versions, or an IPv6 span that needs more than 32 CIDRs (IPv4 never needs more than
 * 62).
 */
export function coverOf(first: Ip, last: Ip): readonly string[] | null {
  if (first.version === 4 && last.version === 4) {
    const blocks = cover(BigInt(first.address), BigInt(last.address), 32, IPV4_BLOCKS_MAX);
    return blocks?.map(([at, bits]) => withBits(formatIpv4(Number(at)), bits, 32)) ?? null;
  }
  if (first.version === 6 && last.version === 6) {
    const [from, to] = [toNumber(first.bytes), toNumber(last.bytes)];
    // A range wider than /16 is never listed, so it need not be split.
    const blocks = to - from >= IPV6_SPAN_MAX ? null : cover(from, to, 128, IPV6_BLOCKS_MAX);
    return blocks?.map(([at, bits]) => withBits(formatIpv6(toBytes(at)), bits, 128)) ?? null;
  }
  return null;
}

const withBits = (address: string, bits: number, all: number): string =>
  bits === all ? address : `${address}/${bits}`;

type Block = readonly [first: bigint, bits: number];

function cover(first: bigint, last: bigint, bits: number, blocksMax: number): readonly Block[] | null {
  if (first > last) return null;
  const blocks: Block[] = [];
  let at = first;
  while (at <= last) {
    if (blocks.length === blocksMax) return null;
    // As wide as the alignment of the address allows, but not beyond the last address.
    const width = Math.min(at === 0n ? bits : lengthOf(at & -at) - 1, lengthOf(last - at + 1n) - 1);
    blocks.push([at, bits - width]);
    at += 1n << BigInt(width);
  }
  return blocks;
}

/** Number of binary digits; counting bit by bit took ten times as long. */
const lengthOf = (number: bigint): number => number.toString(2).length;

const toNumber = (bytes: Uint8Array): bigint =>
  bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

const toBytes = (number: bigint): Uint8Array =>
  Uint8Array.from({ length: 16 }, (_, i) => Number((number >> BigInt(8 * (15 - i))) & 255n));
