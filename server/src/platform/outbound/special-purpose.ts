import ipaddr from 'ipaddr.js';

type Range = readonly [cidr: string, name: string, source: string];

/** The whole IANA IPv4 Special-Purpose Address Registry, and multicast. */
const SPECIAL_V4: readonly Range[] = [
  ['0.0.0.0/8', 'this network', 'RFC 791'],
  ['10.0.0.0/8', 'private use', 'RFC 1918'],
  ['100.64.0.0/10', 'shared address space', 'RFC 6598'],
  ['127.0.0.0/8', 'loopback', 'RFC 1122'],
  ['169.254.0.0/16', 'link local', 'RFC 3927'],
  ['172.16.0.0/12', 'private use', 'RFC 1918'],
  ['192.0.0.0/24', 'IETF protocol assignments', 'RFC 6890'],
  ['192.0.2.0/24', 'documentation (TEST-NET-1)', 'RFC 5737'],
  ['192.31.196.0/24', 'AS112-v4', 'RFC 7535'],
  ['192.52.193.0/24', 'AMT', 'RFC 7450'],
  ['192.88.99.0/24', '6to4 relay anycast', 'RFC 7526'],
  ['192.168.0.0/16', 'private use', 'RFC 1918'],
  ['192.175.48.0/24', 'direct delegation AS112', 'RFC 7534'],
  ['198.18.0.0/15', 'benchmarking', 'RFC 2544'],
  ['198.51.100.0/24', 'documentation (TEST-NET-2)', 'RFC 5737'],
  ['203.0.113.0/24', 'documentation (TEST-NET-3)', 'RFC 5737'],
  ['224.0.0.0/4', 'multicast', 'RFC 5771'],
  ['240.0.0.0/4', 'reserved', 'RFC 1112'],
  ['255.255.255.255/32', 'limited broadcast', 'RFC 8190'],
];

/**
 * The whole IANA IPv6 Special-Purpose Address Registry, and ranges that embed IPv4 addresses or were once private.
 * Only 2000::/3 is assigned to the public internet, so everything outside it is refused as well.
 */
const SPECIAL_V6: readonly Range[] = [
  ['::/128', 'unspecified', 'RFC 4291'],
  ['::1/128', 'loopback', 'RFC 4291'],
  ['::/96', 'IPv4-compatible', 'RFC 4291'],
  ['::ffff:0:0/96', 'IPv4-mapped', 'RFC 4291'],
  ['::ffff:0:0:0/96', 'IPv4-translated', 'RFC 2765'],
  ['64:ff9b::/96', 'NAT64', 'RFC 6052'],
  ['64:ff9b:1::/48', 'NAT64, local use', 'RFC 8215'],
  ['100::/64', 'discard only', 'RFC 6666'],
  ['100:0:0:1::/64', 'dummy prefix', 'RFC 9780'],
  ['2001::/32', 'Teredo', 'RFC 4380'],
  ['2001::/23', 'IETF protocol assignments', 'RFC 2928'],
  ['2001:db8::/32', 'documentation', 'RFC 3849'],
  ['2002::/16', '6to4', 'RFC 3056'],
  ['2620:4f:8000::/48', 'direct delegation AS112', 'RFC 7534'],
  ['3fff::/20', 'documentation', 'RFC 9637'],
  ['5f00::/16', 'segment routing identifiers', 'RFC 9602'],
  ['fc00::/7', 'unique local', 'RFC 4193'],
  ['fe80::/10', 'link local', 'RFC 4291'],
  ['fec0::/10', 'site local', 'RFC 3879'],
  ['ff00::/8', 'multicast', 'RFC 4291'],
];
/** In no registry, but not a public host: it serves the secrets of every machine in that cloud. */
const CLOUD_V4: readonly Range[] = [['168.63.129.16/32', 'cloud platform', 'Azure virtual public address']];
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 5214 6.1: the last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address. */
const ISATAP_MARK = 0x5efe;

const V4 = [...SPECIAL_V4, ...CLOUD_V4].map(([cidr, name]) => ({ range: ipaddr.IPv4.parseCIDR(cidr), name }));
const V6 = SPECIAL_V6.map(([cidr, name]) => ({ range: ipaddr.IPv6.parseCIDR(cidr), name }));

export function specialPurpose(address: string): string | null {
  if (address.includes('%')) return 'an address with a zone';
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const v4 = ipaddr.IPv4.parse(address);
    return V4.find(({ range }) => v4.match(range))?.name ?? null;
  }
  if (!ipaddr.IPv6.isValid(address)) return 'not an address';
  const v6 = ipaddr.IPv6.parse(address);
  const named = V6.find(({ range }) => v6.match(range))?.name;
  if (named !== undefined) return named;
  if (!v6.match(GLOBAL_UNICAST_V6)) return 'outside global unicast';
  const isIsatap = v6.parts[5] === ISATAP_MARK && (v6.parts[4] === 0 || v6.parts[4] === 0x0200);
  return isIsatap ? 'ISATAP' : null;
}

/** Makes different spellings of an address equal. */
export function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address.split('%')[0] ?? '').toNormalizedString() : address;
}
