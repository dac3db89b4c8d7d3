import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { forbidden, type ServiceError } from '#platform/errors.ts';

const REMEMBERED_MAX = 1_024;

export type ProxyTrust = (address: string) => boolean;

/** Who may speak for a caller: addresses inside the configured CIDRs and nobody else, never a hop count (finding 4). */
export function proxyTrust(cidrs: readonly string[]): ProxyTrust {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  // Proxies are few and every request asks about one.
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
 * Behind a trusted proxy `request.ip` is the right-most address that is not one of ours. It may still be any text a
 * careless proxy passed on, so what is not an address is dropped and the proxy's own address stands (finding 4).
 * Without trusted proxies nothing reads the header.
 */
export function dropFalseForwarding(request: FastifyRequest): void {
  if (request.headers['x-forwarded-for'] === undefined) return;
  if (isIP(request.ip ?? '') === 0) delete request.raw.headers['x-forwarded-for'];
}

/** Decisions 1.3: refused, never redirected: a redirect would come after the key was sent in clear. */
export function plainHttpRefusal(request: FastifyRequest, trusts: ProxyTrust): ServiceError | null {
  if (request.headers['x-forwarded-proto'] === undefined) return null;
  if (!trusts(request.socket.remoteAddress ?? '')) return null;
  if (request.protocol.toLowerCase() !== 'http') return null;
  return forbidden('HTTPS required. Nothing was done; send the request again over https.');
}
