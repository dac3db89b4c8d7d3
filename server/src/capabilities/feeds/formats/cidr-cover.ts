import { formatIpv4, formatIpv6, type Ip } from '#domain/indicator/index.ts';

/**
 * The fewest CIDRs that hold every address from first to last and no other, in order: at most 62 for IPv4 and 254 for
 * IPv6. Null when there is no such range: turned around, or of two versions.
 */
export function coverOf(first: Ip, last: Ip): readonly string[] | null {
  if (first.version === 4 && last.version === 4)
    return cover(BigInt(first.address), BigInt(last.address), 32, (at) => formatIpv4(Number(at)));
  if (first.version === 6 && last.version === 6)
    return cover(toNumber(first.bytes), toNumber(last.bytes), 128, (at) => formatIpv6(toBytes(at)));
  return null;
}

function cover(
  first: bigint,
  last: bigint,
  bits: number,
  format: (address: bigint) => string,
): readonly string[] | null {
  if (first > last) return null;
  const ranges: string[] = [];
  let at = first;
  while (at <= last) {
    // As wide as the alignment of the address allows, then as narrow as the end asks for.
    let width = 0;
    while (width < bits && ((at >> BigInt(width)) & 1n) === 0n && at + (1n << BigInt(width + 1)) - 1n <= last)
      width += 1;
    ranges.push(width === 0 ? format(at) : `${format(at)}/${bits - width}`);
    at += 1n << BigInt(width);
  }
  return ranges;
}

const toNumber = (bytes: Uint8Array): bigint =>
  bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

const toBytes = (number: bigint): Uint8Array =>
  Uint8Array.from({ length: 16 }, (_, i) => Number((number >> BigInt(8 * (15 - i))) & 255n));
