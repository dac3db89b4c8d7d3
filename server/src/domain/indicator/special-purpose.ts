import type { Cidr4, Cidr6, Ip } from './indicator.ts';
import { NOT_IPV4, readIpv4 } from './ipv4.ts';
import { readIpv6 } from './ipv6.ts';

export type SpecialPurpose = {
  readonly name: string;
  readonly rfc: string;
  /**
   * The registry's "globally reachable". For tunnels (6to4, Teredo) it says "not applicable"; they count as reachable.
   */
  readonly isReachable: boolean;
};

type Row = readonly [range: string, name: string, rfc: string, reach?: 'reachable'];

/** The IANA IPv4 Special-Purpose Address Registry, and multicast from the IPv4 address space registry. */
const IPV4_ROWS: readonly Row[] = [
  ['0.0.0.0/8', 'This network', 'RFC 791'],
  ['0.0.0.0/32', 'This host on this network', 'RFC 1122'],
  ['10.0.0.0/8', 'Private use', 'RFC 1918'],
  ['100.64.0.0/10', 'Shared address space (carrier-grade NAT)', 'RFC 6598'],
  ['127.0.0.0/8', 'Loopback', 'RFC 1122'],
  ['169.254.0.0/16', 'Link local', 'RFC 3927'],
  ['172.16.0.0/12', 'Private use', 'RFC 1918'],
  ['192.0.0.0/24', 'IETF protocol assignments', 'RFC 6890'],
  ['192.0.0.0/29', 'IPv4 service continuity prefix', 'RFC 7335'],
  ['192.0.0.8/32', 'IPv4 dummy address', 'RFC 7600'],
  ['192.0.0.9/32', 'Port control protocol anycast', 'RFC 7723', 'reachable'],
  ['192.0.0.10/32', 'TURN anycast', 'RFC 8155', 'reachable'],
  ['192.0.0.170/31', 'NAT64/DNS64 discovery', 'RFC 8880'],
  ['192.0.2.0/24', 'Documentation (TEST-NET-1)', 'RFC 5737'],
  ['192.31.196.0/24', 'AS112-v4', 'RFC 7535', 'reachable'],
  ['192.52.193.0/24', 'Automatic multicast tunneling', 'RFC 7450', 'reachable'],
  ['192.88.99.0/24', '6to4 relay anycast (deprecated)', 'RFC 7526', 'reachable'],
  ['192.168.0.0/16', 'Private use', 'RFC 1918'],
  ['192.175.48.0/24', 'Direct delegation AS112 service', 'RFC 7534', 'reachable'],
  ['198.18.0.0/15', 'Benchmarking', 'RFC 2544'],
  ['198.51.100.0/24', 'Documentation (TEST-NET-2)', 'RFC 5737'],
  ['203.0.113.0/24', 'Documentation (TEST-NET-3)', 'RFC 5737'],
  ['224.0.0.0/4', 'Multicast', 'RFC 5771'],
  ['240.0.0.0/4', 'Reserved', 'RFC 1112'],
  ['255.255.255.255/32', 'Limited broadcast', 'RFC 8190'],
];

/** The IANA IPv6 Special-Purpose Address Registry, and the blocks that IANA reserves outside 2000::/3. */
const IPV6_ROWS: readonly Row[] = [
  ['::/8', 'Reserved by the IETF', 'RFC 4291'],
  ['::/96', 'IPv4-compatible (deprecated)', 'RFC 4291'],
  ['::/128', 'Unspecified', 'RFC 4291'],
  ['::1/128', 'Loopback', 'RFC 4291'],
  ['64:ff9b::/96', 'IPv4-IPv6 translation (NAT64)', 'RFC 6052', 'reachable'],
  ['64:ff9b:1::/48', 'IPv4-IPv6 translation, local use (NAT64)', 'RFC 8215'],
  ['100::/8', 'Reserved by the IETF', 'RFC 4291'],
  ['100::/64', 'Discard only', 'RFC 6666'],
  ['100:0:0:1::/64', 'Dummy IPv6 prefix', 'RFC 9780'],
  ['200::/7', 'Reserved by the IETF', 'RFC 4048'],
  ['400::/6', 'Reserved by the IETF', 'RFC 4291'],
  ['800::/5', 'Reserved by the IETF', 'RFC 4291'],
  ['1000::/4', 'Reserved by the IETF', 'RFC 4291'],
  ['2001::/23', 'IETF protocol assignments', 'RFC 2928'],
  ['2001::/32', 'Teredo', 'RFC 4380', 'reachable'],
  ['2001:1::1/128', 'Port control protocol anycast', 'RFC 7723', 'reachable'],
  ['2001:1::2/128', 'TURN anycast', 'RFC 8155', 'reachable'],
  ['2001:1::3/128', 'DNS-SD service registration anycast', 'RFC 9665', 'reachable'],
  ['2001:2::/48', 'Benchmarking', 'RFC 5180'],
  ['2001:3::/32', 'Automatic multicast tunneling', 'RFC 7450', 'reachable'],
  ['2001:4:112::/48', 'AS112-v6', 'RFC 7535', 'reachable'],
  ['2001:10::/28', 'ORCHID (deprecated)', 'RFC 4843'],
  ['2001:20::/28', 'ORCHIDv2', 'RFC 7343', 'reachable'],
  ['2001:30::/28', 'Drone remote identification', 'RFC 9374', 'reachable'],
  ['2001:db8::/32', 'Documentation', 'RFC 3849'],
  ['2002::/16', '6to4', 'RFC 3056', 'reachable'],
  ['2620:4f:8000::/48', 'Direct delegation AS112 service', 'RFC 7534', 'reachable'],
  ['3fff::/20', 'Documentation', 'RFC 9637'],
  ['4000::/3', 'Reserved by the IETF', 'RFC 4291'],
  ['5f00::/16', 'Segment routing (SRv6) identifiers', 'RFC 9602'],
  ['6000::/3', 'Reserved by the IETF', 'RFC 4291'],
  ['8000::/3', 'Reserved by the IETF', 'RFC 4291'],
  ['a000::/3', 'Reserved by the IETF', 'RFC 4291'],
  ['c000::/3', 'Reserved by the IETF', 'RFC 4291'],
  ['e000::/4', 'Reserved by the IETF', 'RFC 4291'],
  ['f000::/5', 'Reserved by the IETF', 'RFC 4291'],
  ['f800::/6', 'Reserved by the IETF', 'RFC 4291'],
  ['fc00::/7', 'Unique local', 'RFC 4193'],
  ['fe00::/9', 'Reserved by the IETF', 'RFC 4291'],
  ['fe80::/10', 'Link local unicast', 'RFC 4291'],
  ['fec0::/10', 'Site local (deprecated)', 'RFC 3879'],
  ['ff00::/8', 'Multicast', 'RFC 4291'],
];

type Block<A> = { readonly first: A; readonly bits: number; readonly purpose: SpecialPurpose };

const IPV4_BLOCKS: readonly Block<number>[] = readRows(IPV4_ROWS, (text) => {
  const address = readIpv4(text);
  return address === NOT_IPV4 ? null : address;
});
const IPV6_BLOCKS: readonly Block<Uint8Array>[] = readRows(IPV6_ROWS, readIpv6);

/** Sorted with the most specific block first, so the first match is the registry's answer. */
function readRows<A>(rows: readonly Row[], read: (text: string) => A | null): readonly Block<A>[] {
  return rows
    .map(([range, name, rfc, reach]) => {
      const [base = '', bits] = range.split('/');
      const first = read(base);
      if (first === null) throw new Error(`'${range}' is not a range.`);
      return { first, bits: Number(bits), purpose: { name, rfc, isReachable: reach === 'reachable' } };
    })
    .sort((a, b) => b.bits - a.bits);
}

export function specialPurposeOf(target: Ip | Cidr4 | Cidr6): SpecialPurpose | null {
  const bits = target.kind === 'cidr' ? target.bits : 128;
  if (target.version === 4) {
    const { address } = target;
    const block = IPV4_BLOCKS.find((b) => b.bits <= bits && sharesPrefix4(b.first, address, b.bits));
    return block?.purpose ?? null;
  }
  const { bytes } = target;
  return IPV6_BLOCKS.find((b) => b.bits <= bits && sharesPrefix6(b.first, bytes, b.bits))?.purpose ?? null;
}

/** Private and reserved addresses carry the attribute `bogon` and are never looked up elsewhere (decisions 3.1). */
export const isBogon = (target: Ip | Cidr4 | Cidr6): boolean =>
  specialPurposeOf(target)?.isReachable === false;

export function containsBogon(range: Cidr4 | Cidr6): boolean {
  if (range.bits === 0) return true;
  if (range.version === 4)
    return IPV4_BLOCKS.some(
      ({ first, bits, purpose }) =>
        !purpose.isReachable && bits >= range.bits && sharesPrefix4(first, range.address, range.bits),
    );
  return IPV6_BLOCKS.some(
    ({ first, bits, purpose }) =>
      !purpose.isReachable && bits >= range.bits && sharesPrefix6(first, range.bytes, range.bits),
  );
}

/** No block and no range passed here has 0 bits, so the shift is never by 32. */
const sharesPrefix4 = (a: number, b: number, bits: number): boolean => (a ^ b) >>> (32 - bits) === 0;

function sharesPrefix6(a: Uint8Array, b: Uint8Array, bits: number): boolean {
  const whole = bits >>> 3;
  for (let i = 0; i < whole; i++) if (a[i] !== b[i]) return false;
  const rest = bits & 7;
  return rest === 0 || ((a[whole] ?? 0) ^ (b[whole] ?? 0)) >>> (8 - rest) === 0;
}
