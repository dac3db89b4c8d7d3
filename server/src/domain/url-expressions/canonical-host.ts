import { formatIpv4, formatIpv6, readIpv6 } from '../indicator/index.ts';
import { escapeBytes, unescapeBytes, utf8Bytes } from './percent-bytes.ts';

export type CanonicalHost = { readonly text: string; readonly isAddress: boolean };

const NOT_ASCII = /[^\0-\x7f]/;
const NUMBER = /^(?:0x[\da-f]*|\d+)$/i;
/** IPv4 behind the well-known NAT64 prefix (RFC 6052). */
const NAT64 = [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0];
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** The rules of Safe Browsing: no surplus dots, canonical addresses, lower case, escapes. Null when no host is left. */
export function canonicalHost(raw: string): CanonicalHost | null {
  const ascii = toAscii(raw);
  const bare = unescapeBytes(utf8Bytes(ascii))
    .replace(/^\.+|(?<!\.)\.+$/g, '')
    .replace(/\.{2,}/g, '.');
  if (bare === '') return null;
  const address = bare.startsWith('[') ? ipv6Text(bare) : ipv4Text(bare);
  if (address !== null) return { text: address, isAddress: true };
  return { text: escapeBytes(lowerAscii(bare)), isAddress: false };
}

/** Turns an internationalized name into A-labels; a host that the URL parser refuses stays unchanged and is escaped. */
function toAscii(host: string): string {
  if (!NOT_ASCII.test(host)) return host;
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return host;
  }
}

/** A byte over 127 is part of a multi-byte character and has no case. */
const lowerAscii = (bytes: string): string => bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Decimal, octal and hexadecimal with one to four parts, the last of which fills the remaining bytes (inet_aton). */
function ipv4Text(host: string): string | null {
  const parts = host.split('.');
  if (parts.length > 4 || !parts.every((part) => NUMBER.test(part))) return null;
  const numbers = parts.map(readNumber);
  const last = numbers.pop() ?? Number.NaN;
  if (numbers.some((number) => !(number <= 255)) || !(last < 256 ** (4 - numbers.length))) return null;
  const leading = numbers.reduce((sum, number, i) => sum + number * 256 ** (3 - i), 0);
  return formatIpv4(leading + last);
}

function readNumber(part: string): number {
  if (/^0x/i.test(part)) return part.length === 2 ? 0 : Number.parseInt(part.slice(2), 16);
  if (part.length === 1 || !part.startsWith('0')) return Number(part);
  return /[89]/.test(part) ? Number.NaN : Number.parseInt(part, 8);
}

function ipv6Text(host: string): string | null {
  const bytes = host.endsWith(']') ? readIpv6(host.slice(1, -1)) : null;
  if (bytes === null) return null;
  if (!startsWith(bytes, MAPPED) && !startsWith(bytes, NAT64)) return `[${formatIpv6(bytes)}]`;
  return [...bytes.subarray(12)].join('.');
}

const startsWith = (bytes: Uint8Array, prefix: readonly number[]): boolean =>
  prefix.every((byte, i) => bytes[i] === byte);
