import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { forbidden, type ServiceError } from '#platform/errors.ts';

const REMEMBERED_MAX = 1_024;

export type ProxyTrust = (address: string) => boolean;

/** Trusts forwarding headers only from addresses inside the configured CIDRs, never by a hop count (reliability finding 4). */
export function proxyTrust(cidrs: readonly string[]): ProxyTrust {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  // Remembers the answers, because proxies are few and every request checks one.
  const remembered = new Map<string, boolean>();
  return (address) => {
    const known = remembered.get(address);
    if (known !== undefined) return known;
    const family = isIP(address);
    const trusted = family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
    if (remembered.size < REMEMBERED_MAX) remembered.set(address, trusted);
    return trusted;
  };
}

/**
 * Behind a trusted proxy `request.ip` is the right-most address that is not a trusted proxy. A careless proxy may
 * pass on any text, so a value that is not an address is dropped and the proxy's own address is used (reliability finding 4).
 * Without trusted proxies the header is never read.
 */
export function dropFalseForwarding(request: FastifyRequest): void {
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined) return;
  const bare = withoutPorts(String(forwarded));
  if (bare !== forwarded) request.raw.headers['x-forwarded-for'] = bare;
  if (isIP(request.ip ?? '') === 0) delete request.raw.headers['x-forwarded-for'];
}

const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-fA-F:.]{2,45})\])(?::\d{1,5})?$/;

/** Some proxies forward `198.51.100.7:4711` or `[2001:db8::1]:4711`; the port is not part of the address. */
function withoutPorts(forwarded: string): string {
  if (!forwarded.includes(':')) return forwarded;
  return forwarded
    .split(',')
    .map((part) => {
      const [, v4, v6] = WITH_PORT.exec(part.trim()) ?? [];
      return v4 ?? v6 ?? part;
    })
    .join(',');
}

const NETWORK_GROUPS = 4;

/** The unit of a limit by address: one IPv4 address, or the /64 of an IPv6 address, which one customer fills at will. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%', 1);
  // ::ffff:198.51.100.7 is an IPv4 caller on a socket of both families.
  if (plain.includes('.')) return plain.slice(plain.lastIndexOf(':') + 1);
  const [head = '', tail] = plain.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return groups.slice(0, NETWORK_GROUPS).join(':');
}

/** Plain HTTP is refused, not redirected (decisions 1.3): a redirect comes after the key was sent in clear text. */
export function plainHttpRefusal(request: FastifyRequest, trusts: ProxyTrust): ServiceError | null {
  if (request.headers['x-forwarded-proto'] === undefined) return null;
  if (!trusts(request.socket.remoteAddress ?? '')) return null;
  if (request.protocol.toLowerCase() !== 'http') return null;
  return forbidden('HTTPS required. Nothing was done; send the request again over https.');
}
