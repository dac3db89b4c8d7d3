import { formatIpv4, formatIpv6, type Ip } from '#domain/indicator/index.ts';

/** A range as a prefix; null when it is none. */
export function prefixOf(first: Uint8Array, last: Uint8Array): string | null {
  let bits = first.length * 8;
  while (bits > 0 && compare(filled(first, bits, 255), last) < 0) bits -= 1;
  const isWhole =
    compare(filled(first, bits, 0), first) === 0 && compare(filled(first, bits, 255), last) === 0;
  return isWhole ? `${textOf(first)}/${bits}` : null;
}

/**
 * The widest prefix around an address that lies inside a range. Tables of networks join announcements that follow each
 * other, so a range is often no prefix; clients and firewalls take prefixes only.
 */
export function prefixAround(ip: Ip, first: Uint8Array, last: Uint8Array): string {
  const address = ip.version === 4 ? bytesOf4(ip.address) : ip.bytes;
  for (let bits = 0; bits < address.length * 8; bits += 1) {
    const lowest = filled(address, bits, 0);
    if (compare(lowest, first) >= 0 && compare(filled(address, bits, 255), last) <= 0)
      return `${textOf(lowest)}/${bits}`;
  }
  return `${ip.value}/${address.length * 8}`;
}

function bytesOf4(address: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, address);
  return bytes;
}

/** The address with every bit after the first `bits` set to that of `fill`, which is 0 or 255. */
function filled(address: Uint8Array, bits: number, fill: 0 | 255): Uint8Array {
  return Uint8Array.from(address, (byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    const mask = 255 >> kept;
    return (byte & ~mask) | (fill & mask);
  });
}

function compare(a: Uint8Array, b: Uint8Array): number {
  for (const [index, byte] of a.entries()) {
    const difference = byte - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const textOf = (bytes: Uint8Array): string =>
  bytes.length === 4 ? formatIpv4(new DataView(bytes.buffer).getUint32(0)) : formatIpv6(bytes);
