import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `ak_` + 24 and `sk_` + 43 characters of base 62 (decisions 1.3, O19). The last 6 of the secret are the
 * CRC-32 of the rest, so that a typing error or a guess is refused before any lookup and a leaked secret can
 * be recognised offline; the 37 before them carry 220 random bits.
 */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = new Uint8Array(128);
for (let i = 0; i < BASE62.length; i += 1) DIGITS[BASE62.charCodeAt(i)] = i;
const API_KEY_CHARS = 24;
const RANDOM_CHARS = 37;
const CHECK_CHARS = 6;
/** The largest byte below a multiple of 62: higher bytes would make some characters likelier than others. */
const FAIR_BYTE_MAX = 247;

const API_KEY = /^ak_[0-9A-Za-z]{24}$/;
const CHECKED = /^(?:sk|lk|op)_[0-9A-Za-z]{43}$/;

export type Pair = { readonly apiKey: string; readonly apiSecret: string };

export const newPair = (): Pair => ({ apiKey: `ak_${randomBase62(API_KEY_CHARS)}`, apiSecret: newSecret() });
export const newSecret = (): string => withChecksum(`sk_${randomBase62(RANDOM_CHARS)}`);
export const newOperatorToken = (): string => withChecksum(`op_${randomBase62(RANDOM_CHARS)}`);
export const newLicence = (): string => withChecksum(`lk_${randomBase62(RANDOM_CHARS)}`);

/** The value of X-API-KEY, also the password of Basic form 3 (contract 5). */
export const credentialOf = ({ apiKey, apiSecret }: Pair): string =>
  Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');

export const isApiKey = (text: string): boolean => API_KEY.test(text);
export const isSecret = (text: string): boolean => text.startsWith('sk_') && hasChecksum(text);
export const isLicence = (text: string): boolean => text.startsWith('lk_') && hasChecksum(text);

export const isOperatorToken = (text: string): boolean => text.startsWith('op_') && hasChecksum(text);

/** A licence is looked up by its hash; 220 random bits need no pepper. */
export const licenceHash = (licence: string): Buffer => hash('sha256', licence, 'buffer');
export const operatorTokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

const hasChecksum = (text: string): boolean =>
  CHECKED.test(text) && checkedValue(text) === crc32(text.slice(0, -CHECK_CHARS));

/** The checksum in the last characters; the caller has verified that they are base 62. */
function checkedValue(text: string): number {
  let value = 0;
  for (let i = text.length - CHECK_CHARS; i < text.length; i += 1)
    value = value * 62 + (DIGITS[text.charCodeAt(i)] ?? 0);
  return value;
}

function withChecksum(text: string): string {
  let left = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECK_CHARS; i += 1) {
    digits = BASE62.charAt(left % 62) + digits;
    left = Math.floor(left / 62);
  }
  return text + digits;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length))
      if (byte <= FAIR_BYTE_MAX && text.length < length) text += BASE62.charAt(byte % 62);
  return text;
}
