import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The caller's address in one spelling: IPv4-mapped IPv6 becomes IPv4, a zone is dropped. Fastify accepts
 * X-Forwarded-For only from TRUSTED_PROXIES; when such a proxy forwards no address, the proxy's own counts.
 */
export function clientAddress(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = normalizeAddress(request.ip);
  return address === '' ? normalizeAddress(request.socket.remoteAddress ?? '') : address;
}

export function normalizeAddress(text: string): string {
  const family = isIP(text);
  if (family === 4) return text;
  if (family !== 6) return '';
  const address = ipaddr.IPv6.parse(text.split('%', 1)[0] ?? '');
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String();
}

/** The unit of a limit per address: one IPv4 address, or the /64 of one IPv6 customer (reliability 3.K). */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

/**
 * The network of an address: its IPv4 /24 or IPv6 /48. It is the unit of limits that an attacker must not multiply with the
 * addresses of one hosting contract.
 */
export function addressNetwork(address: string): string {
  if (isIP(address) === 4) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  if (isIP(address) !== 6) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 3);
  return `${parts.map((part) => part.toString(16)).join(':')}::/48`;
}

/** `203.0.113.0/24` in one spelling, or null. A single address is a range of size one. */
export function normalizeCidr(text: string): string | null {
  const [address = '', bitsText, more] = text.trim().split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined || address.includes('%')) return null;
  const bitsMax = family === 4 ? 32 : 128;
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return null;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  if (bits > bitsMax) return null;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress())
    return bits < 96 ? null : firstAddress(parsed.toIPv4Address().toString(), bits - 96);
  return firstAddress(address, bits);
}

function firstAddress(address: string, bits: number): string {
  const cidr = `${address}/${bits}`;
  return isIP(address) === 4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()}/${bits}`
    : `${ipaddr.IPv6.networkAddressFromCIDR(cidr).toRFC5952String()}/${bits}`;
}

export type AllowList = (address: string) => boolean;

export function createAllowList(cidrs: readonly string[]): AllowList | null {
  if (cidrs.length === 0) return null;
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits = ''] = cidr.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
