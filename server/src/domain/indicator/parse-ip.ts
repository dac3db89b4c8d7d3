import type { Cidr4, Cidr6, Ip } from './indicator.ts';
import { formatIpv4, ipv4Of, NOT_IPV4, readIpv4 } from './ipv4.ts';
import { formatIpv6, ipOf, isMapped, mappedAddress, readIpv6 } from './ipv6.ts';
import { type Attempt, accept, reject } from './rejections.ts';

const COLON = 58;
const OPEN = 91;
const PORT_MAX = 65_535;
/** The mapped prefix is ::ffff:0:0/96; a range inside it is a range of IPv4. */
const MAPPED_BITS = 96;
const NUMBER_LABEL = /^(?:[0-9]+|0x[0-9a-f]*)$/;
const HOST_CHARACTERS = /^[a-z0-9._-]+$/i;

/**
 * Reads an address, an address with a port, or a range. The port is dropped: feeds and logs write `192.0.2.1:443`,
 * and listings are stored by address. Callers that take no range check with `isSingle`.
 */
export function parseIp(text: string): Attempt<Ip | Cidr4 | Cidr6> {
  const slash = text.indexOf('/');
  if (slash >= 0) return parseCidr(text.slice(0, slash), text.slice(slash + 1));
  const address = readIpv4(text);
  if (address !== NOT_IPV4) return accept(ipv4Of(address));
  if (text.charCodeAt(0) === OPEN) return parseBracketed(text);
  const colon = text.indexOf(':');
  if (colon < 0) return looksLikeIpv4(text) ? explainIpv4(text) : null;
  if (text.indexOf(':', colon + 1) < 0) return parseIpv4WithPort(text, colon);
  return parseIpv6(text);
}

function parseIpv6(text: string): Attempt<Ip> {
  const bytes = readIpv6(text);
  if (bytes !== null) return accept(ipOf(bytes));
  const zone = text.indexOf('%');
  if (zone > 0 && readIpv6(text.slice(0, zone)) !== null) return reject('zone');
  return /^[0-9a-f:.]+$/i.test(text) ? reject('ipv6') : null;
}

/** Reads `[2001:db8::1]` and `[2001:db8::1]:443`, the forms of RFC 3986 section 3.2.2 and RFC 5952 section 6. */
function parseBracketed(text: string): Attempt<Ip> {
  const close = text.indexOf(']');
  if (close < 0) return null;
  const parsed = parseIpv6(text.slice(1, close));
  if (parsed === null || !parsed.ok || close === text.length - 1) return parsed;
  if (text.charCodeAt(close + 1) !== COLON) return null;
  return isPort(text.slice(close + 2)) ? parsed : reject('port');
}

function parseIpv4WithPort(text: string, colon: number): Attempt<Ip> {
  const host = text.slice(0, colon);
  const address = readIpv4(host);
  if (address === NOT_IPV4) return looksLikeIpv4(host) && host.includes('.') ? explainIpv4(host) : null;
  return isPort(text.slice(colon + 1)) ? accept(ipv4Of(address)) : reject('port');
}

export const isPort = (text: string): boolean => /^[0-9]{1,5}$/.test(text) && Number(text) <= PORT_MAX;

function parseCidr(base: string, bitsText: string): Attempt<Ip | Cidr4 | Cidr6> {
  const address = readIpv4(base);
  if (address !== NOT_IPV4) {
    if (/^[0-9]{1,2}$/.test(bitsText) && Number(bitsText) <= 32)
      return accept(range4(address, Number(bitsText)));
    // "192.0.2.1/bins.sh" is a URL without its scheme, not a range with a bad prefix length.
    return /^[0-9.]*$/.test(bitsText) ? reject('prefix') : null;
  }
  const bytes = readIpv6(base);
  if (bytes !== null) {
    if (/^[0-9]{1,3}$/.test(bitsText) && Number(bitsText) <= 128)
      return accept(range6(bytes, Number(bitsText)));
    return reject('prefix');
  }
  return looksLikeIpv4(base) && /^[0-9]{1,3}$/.test(bitsText) ? explainIpv4(base) : null;
}

/** Host bits are set to zero; a range of one address becomes that address. */
function range4(address: number, bits: number): Ip | Cidr4 {
  if (bits === 32) return ipv4Of(address);
  // JavaScript shifts by 32 as by 0, so /0 is handled separately.
  const first = bits === 0 ? 0 : (address & (-1 << (32 - bits))) >>> 0;
  return { kind: 'cidr', version: 4, value: `${formatIpv4(first)}/${bits}`, address: first, bits };
}

function range6(bytes: Uint8Array, bits: number): Ip | Cidr4 | Cidr6 {
  if (bits === 128) return ipOf(bytes);
  if (bits >= MAPPED_BITS && isMapped(bytes)) return range4(mappedAddress(bytes), bits - MAPPED_BITS);
  const first = bytes.map((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - i * 8));
    return byte & (0xff << (8 - kept));
  });
  return { kind: 'cidr', version: 6, value: `${formatIpv6(first)}/${bits}`, bytes: first, bits };
}

/** The rule of browsers: when the last label is a number, the host must be a valid IPv4 address. */
function looksLikeIpv4(text: string): boolean {
  const lastLabel = text.slice(text.lastIndexOf('.') + 1).toLowerCase();
  return NUMBER_LABEL.test(lastLabel) && HOST_CHARACTERS.test(text);
}

/**
 * inet_aton reads 127.1, 0177.0.0.1, 0x7f.1 and 2130706433 as 127.0.0.1; other programs read some of them as decimal.
 * Outside a URL they are refused with a reason; inside a URL they are read as a browser reads them.
 */
function explainIpv4(text: string): Attempt<Ip> {
  const labels = text.toLowerCase().split('.');
  const isQuad = labels.length === 4 && labels.every((label) => /^(?:0|[1-9][0-9]*)$/.test(label));
  if (isQuad) return reject('ipv4Range');
  return labels.every((label) => NUMBER_LABEL.test(label)) && labels.length <= 4
    ? reject('ipv4Ambiguous')
    : reject('ipv4Range');
}
