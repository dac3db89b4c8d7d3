import {
  formatIpv4,
  formatIpv6,
  type Listable,
  type ParseResult,
  parseAsn,
  parseCrypto,
  parseIndicator,
  parsePhone,
} from '#domain/indicator/index.ts';
import { KIND } from './indicator-key.ts';

/** The text that a key encodes; null for a URL, because its key holds a digest. */
export function textOfKey(key: Uint8Array): string | null {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  switch (bytes[0]) {
    case KIND.ipv4:
      return formatIpv4(bytes.readUInt32BE(1));
    case KIND.ipv6:
      return formatIpv6(bytes.subarray(1, 17));
    case KIND.cidr4:
      return `${formatIpv4(bytes.readUInt32BE(1))}/${bytes[5]}`;
    case KIND.cidr6:
      return `${formatIpv6(bytes.subarray(1, 17))}/${bytes[17]}`;
    case KIND.domain:
    case KIND.email:
    case KIND.crypto:
    case KIND.phone:
      return bytes.toString('latin1', 1);
    case KIND.md5:
    case KIND.sha1:
    case KIND.sha256:
      return bytes.toString('hex', 1);
    case KIND.asn:
      return `AS${bytes.readUInt32BE(1)}`;
    case KIND.url:
      return null;
    default:
      throw new RangeError(`There is no kind of key ${bytes[0]}.`);
  }
}

/** The inverse of `keyOf`, through the same parser as user input; null for a URL. */
export function indicatorOfKey(key: Uint8Array): ParseResult<Listable> | null {
  const text = textOfKey(key);
  if (text === null) return null;
  if (key[0] === KIND.asn) return parseAsn(text);
  if (key[0] === KIND.phone) return parsePhone(text);
  return key[0] === KIND.crypto ? parseCrypto(text) : parseIndicator(text);
}
