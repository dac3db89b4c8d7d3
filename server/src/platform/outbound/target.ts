import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.ts';
import { canonicalAddress, specialPurpose } from './special-purpose.ts';

export type Scheme = 'https' | 'http';
export type TargetRules = {
  readonly schemes: readonly Scheme[];
  readonly ports: readonly number[];
};

/** `ADDRESS/BITS:PORT`, such as `127.0.0.1/32:8080`: the only exception to the deny list, never set in production. */
export type Allowed = { readonly range: [ipaddr.IPv4 | ipaddr.IPv6, number]; readonly port: number };

const DEFAULT_PORTS: Readonly<Record<Scheme, number>> = { https: 443, http: 80 };
const URL_MAX = 4_096;

export function parseAllowed(text: string): Allowed {
  const at = text.lastIndexOf(':');
  const port = Number(text.slice(at + 1));
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`'${text}' is not ADDRESS/BITS:PORT.`);
  return { range: ipaddr.parseCIDR(text.slice(0, at).replace(/^\[|\](?=\/)/g, '')), port };
}

export type AddressPolicy = {
  readonly allowed: readonly Allowed[];
  /** Ranges that the operator excludes; they win over `allowed`. */
  readonly denied: readonly Allowed['range'][];
  /** The addresses of this machine, including public ones. */
  readonly own: () => ReadonlySet<string>;
};

export const parseRange = (text: string): Allowed['range'] => ipaddr.parseCIDR(text);

/** True for an address that the operator wrote down for services of their own. */
export const isAllowed = ({ allowed }: AddressPolicy, address: string, port: number): boolean =>
  allowed.some((each) => each.port === port && matches(address, each.range));

export function refusal(policy: AddressPolicy, address: string, port: number): string | null {
  if (policy.denied.some((range) => matches(canonicalAddress(address), range)))
    return 'a range that the operator of this service excludes';
  if (isAllowed(policy, address, port)) return null;
  return (
    specialPurpose(address) ??
    (policy.own().has(canonicalAddress(address)) ? 'an address of this machine' : null)
  );
}

function matches(address: string, range: Allowed['range']): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === range[0].kind() && parsed.match(range);
}

/**
 * All checks that are possible before a name is resolved. The parsed URL is checked and never the text: the parser
 * has already turned 2130706433, 0x7f.1, 0177.1 and full-width digits into 127.0.0.1.
 */
export function checkTarget(input: string | URL, rules: TargetRules, policy: AddressPolicy): URL {
  const url = parseUrl(input);
  const scheme = url.protocol.slice(0, -1) as Scheme;
  if (!rules.schemes.includes(scheme))
    throw new OutboundError('scheme', `Only ${rules.schemes.join(' and ')} URLs are fetched.`);
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('userinfo', 'A URL with a user name or password is not fetched.');
  const port = portOf(url);
  const host = hostOf(url);
  const isAllowedPort = rules.ports.includes(port) || policy.allowed.some((each) => each.port === port);
  if (!isAllowedPort) throw new OutboundError('port', `Port ${port} is not fetched.`);
  if (isIP(host) !== 0 || host.includes('%')) assertReachable(policy, host, port);
  else if (/(^|\.)localhost\.?$/i.test(host))
    throw new OutboundError('address', 'The name points at this machine.');
  return url;
}

/**
 * The same for a host and a port. They are made into a URL, so that the same parser normalises every spelling of an
 * address; a host that could not stand in a URL is refused first. Returns the normalised host.
 */
export function checkHost(
  host: string,
  port: number,
  ports: readonly number[],
  policy: AddressPolicy,
): string {
  if (isIP(host) !== 6 && /[^\p{L}\p{N}\p{M}._-]/u.test(host))
    throw new OutboundError('invalid_url', 'This is not a host.');
  const authority = isIP(host) === 6 ? `[${host}]` : host;
  return hostOf(checkTarget(`https://${authority}:${port}/`, { schemes: ['https'], ports }, policy));
}

export function assertReachable(policy: AddressPolicy, address: string, port: number): void {
  const reason = refusal(policy, address, port);
  if (reason !== null)
    throw new OutboundError('address', `The URL leads to an address that is not public (${reason}).`);
}

function parseUrl(input: string | URL): URL {
  const text = String(input);
  if (text.length > URL_MAX) throw new OutboundError('invalid_url', 'The URL is too long.');
  const url = URL.parse(text);
  if (url === null || url.hostname === '') throw new OutboundError('invalid_url', 'This is not a URL.');
  return url;
}

export const portOf = (url: URL): number =>
  url.port === '' ? DEFAULT_PORTS[url.protocol.slice(0, -1) as Scheme] : Number(url.port);

export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
