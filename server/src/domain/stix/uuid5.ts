import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** RFC 9562 section 5.5: the same name in the same namespace always gives the same id. */
export function uuid5(namespace: string, name: string): string {
  const digest = sha1
    .create()
    .update(hexToBytes(namespace.replaceAll('-', '')))
    .update(utf8ToBytes(name))
    .digest()
    .slice(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytesToHex(digest);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
