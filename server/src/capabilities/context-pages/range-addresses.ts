import { addressUnitsOf } from '#capabilities/corpus/index.ts';
import { type Cidr4, type Cidr6, formatIpv4, formatIpv6, type Ip } from '#domain/indicator/index.ts';

const PROBE_BITS = 8;

/** First and last address of a range, as bytes. */
export function endsOf(range: Cidr4 | Cidr6): { readonly first: Uint8Array; readonly last: Uint8Array } {
  const first = bytesOf(range);
  const last = first.map((byte, at) => byte | (0xff >> Math.min(8, Math.max(0, range.bits - at * 8))));
  return { first, last };
}

/** Up to 256 evenly spaced addresses of the range, the first one included. */
export function probesOf(range: Cidr4 | Cidr6): readonly Ip[] {
  const first = bytesOf(range);
  const bits = Math.min(PROBE_BITS, first.length * 8 - range.bits);
  return Array.from({ length: 2 ** bits }, (_, nth) => ipOf(withBits(first, range.bits, bits, nth)));
}

/** How many units a range is counted in: addresses of IPv4, /64s of IPv6. */
export const unitsOf = addressUnitsOf;

function bytesOf(range: Cidr4 | Cidr6): Uint8Array {
  if (range.version === 6) return Uint8Array.from(range.bytes);
  return Uint8Array.of(range.address >>> 24, range.address >>> 16, range.address >>> 8, range.address);
}

/** Returns `bytes` with `value` in the `count` bits that follow the first `from` bits, which must be 0. */
function withBits(bytes: Uint8Array, from: number, count: number, value: number): Uint8Array {
  const written = Uint8Array.from(bytes);
  for (let nth = 0; nth < count; nth += 1) {
    const at = from + nth;
    if (((value >> (count - 1 - nth)) & 1) === 1)
      written[at >> 3] = (written[at >> 3] as number) | (0x80 >> (at & 7));
  }
  return written;
}

function ipOf(bytes: Uint8Array): Ip {
  if (bytes.length === 16) return { kind: 'ip', version: 6, value: formatIpv6(bytes), bytes };
  const address = new DataView(bytes.buffer).getUint32(0);
  return { kind: 'ip', version: 4, value: formatIpv4(address), address };
}
