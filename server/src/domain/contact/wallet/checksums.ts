import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, base58xmr, base58xrp, bech32, bech32m } from '@scure/base';

const CHECKSUM_BYTES = 4;
/** The longest address (BIP 173). */
const BECH32_MAX = 90;

const decoded = (
  coder: { readonly decode: (text: string) => Uint8Array },
  text: string,
): Uint8Array | null => {
  try {
    return coder.decode(text);
  } catch {
    return null;
  }
};

function withoutChecksum(
  bytes: Uint8Array | null,
  digest: (bytes: Uint8Array) => Uint8Array,
): Uint8Array | null {
  if (bytes === null || bytes.length <= CHECKSUM_BYTES) return null;
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  const expected = digest(payload);
  const given = bytes.subarray(-CHECKSUM_BYTES);
  return given.every((byte, i) => byte === expected[i]) ? payload : null;
}

const twice = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));

export const readBase58Check = (text: string): Uint8Array | null =>
  withoutChecksum(decoded(base58, text), twice);

export const readRipple = (text: string): Uint8Array | null =>
  withoutChecksum(decoded(base58xrp, text), twice);

export const readMonero = (text: string): Uint8Array | null =>
  withoutChecksum(decoded(base58xmr, text), keccak_256);

/**
 * The prefix and program of a segregated witness address, or null. Version 0 is checked as Bech32 and every later
 * version as Bech32m (BIP 350); money sent to an address with the wrong checksum is lost.
 */
export function readSegwit(
  text: string,
): { readonly prefix: string; readonly version: number; readonly bytes: number } | null {
  for (const [coder, isFirst] of [[bech32, true] as const, [bech32m, false] as const]) {
    const found = coder.decodeUnsafe(text, BECH32_MAX);
    if (found === undefined) continue;
    const [version, ...rest] = found.words;
    if (version === undefined || (version === 0) !== isFirst) return null;
    const program = coder.fromWordsUnsafe(rest);
    return program === undefined ? null : { prefix: found.prefix, version, bytes: program.length };
  }
  return null;
}

/** Reads plain Bech32 text, such as a Zcash Sapling address without a version word; null on a wrong checksum. */
export function readBech32(text: string): { readonly prefix: string; readonly bytes: number } | null {
  const found = bech32.decodeUnsafe(text, BECH32_MAX);
  const payload = found === undefined ? undefined : bech32.fromWordsUnsafe(found.words);
  return found === undefined || payload === undefined
    ? null
    : { prefix: found.prefix, bytes: payload.length };
}

/** EIP-55: the case of each letter encodes one bit of the Keccak-256 of the lower-case text. */
export function hasEthereumChecksum(hex: string): boolean {
  const lower = hex.toLowerCase();
  const digest = keccak_256(new TextEncoder().encode(lower));
  for (let i = 0; i < hex.length; i += 1) {
    const nibble = ((digest[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 0xf;
    const letter = lower.charAt(i);
    if (hex.charAt(i) !== (nibble >= 8 ? letter.toUpperCase() : letter)) return false;
  }
  return true;
}

const CASH_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CASH_GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n] as const;
const CASH_PREFIX_WORDS = Array.from('bitcoincash', (letter) => letter.charCodeAt(0) & 0x1f);
const FORTY_BITS = 35n;

/** The CashAddr polynomial of Bitcoin Cash. It covers the prefix; `text` comes without the prefix, in lower case. */
export function hasCashChecksum(text: string): boolean {
  const words = Array.from(text, (letter) => CASH_ALPHABET.indexOf(letter));
  if (words.includes(-1)) return false;
  let sum = 1n;
  for (const word of [...CASH_PREFIX_WORDS, 0, ...words]) {
    const top = sum >> FORTY_BITS;
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(word);
    for (const [bit, generator] of CASH_GENERATOR.entries()) if ((top >> BigInt(bit)) & 1n) sum ^= generator;
  }
  return (sum ^ 1n) === 0n;
}
