import type { Ip, Ipv4 } from './indicator.ts';
import { ipv4Of } from './ipv4.ts';

export type Carrier = 'NAT64' | '6to4' | 'Teredo';
type CarriedIpv4 = { readonly ip: Ipv4; readonly carrier: Carrier };

const NAT64 = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0];
const NAT64_LOCAL = [0, 0x64, 0xff, 0x9b, 0, 1];
const SIX_TO_FOUR = [0x20, 0x02];
const TEREDO = [0x20, 0x01, 0, 0];

/**
 * The IPv4 host behind an address of a translation or a tunnel: NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056) or Teredo
 * (RFC 4380). Lists know the IPv4 address, so it is the one to judge. IPv4-mapped addresses are read as IPv4 at once.
 */
export function carriedIpv4(ip: Ip): CarriedIpv4 | null {
  if (ip.version === 4) return null;
  const { bytes } = ip;
  if (startsWith(bytes, NAT64)) return carried(bytes, [12, 13, 14, 15], 'NAT64');
  if (startsWith(bytes, NAT64_LOCAL)) return carried(bytes, localPlaces(bytes), 'NAT64');
  if (startsWith(bytes, SIX_TO_FOUR)) return carried(bytes, [2, 3, 4, 5], '6to4');
  // The client's address is stored with every bit inverted.
  if (startsWith(bytes, TEREDO))
    return carried(
      bytes.map((byte) => byte ^ 0xff),
      [12, 13, 14, 15],
      'Teredo',
    );
  return null;
}

/** With the /48 itself as prefix the IPv4 address surrounds byte 8 and zeros follow (RFC 6052 section 2.2). */
const localPlaces = (bytes: Uint8Array): readonly number[] =>
  bytes.subarray(11).every((byte) => byte === 0) ? [6, 7, 9, 10] : [12, 13, 14, 15];

const startsWith = (bytes: Uint8Array, prefix: readonly number[]): boolean =>
  prefix.every((byte, at) => bytes[at] === byte);

function carried(bytes: Uint8Array, places: readonly number[], carrier: Carrier): CarriedIpv4 {
  const address = places.reduce((sum, at) => sum * 256 + (bytes[at] ?? 0), 0);
  return { ip: ipv4Of(address), carrier };
}
