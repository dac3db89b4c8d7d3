import type { Hash } from './indicator.ts';
import { type Attempt, accept, reject } from './rejections.ts';

/** Shorter hexadecimal text can be a word or a number; from 32 digits on it is a digest and never a name (trap 15). */
const HEX_MIN = 32;

/** Hex of 32, 40 or 64 digits. 32 digits can be an MD5 or an NTLM hash (decisions 3.1) and are read as MD5. */
export function parseHash(text: string): Attempt<Hash> {
  const known = knownHash(text);
  if (known !== null) return accept(known);
  if (text.length < HEX_MIN || !isHex(text)) return null;
  if (text.length === 128) return reject('sha512');
  if (text.length === 96) return reject('sha384');
  return reject(text.length === 56 ? 'sha224' : 'otherHash');
}

export function knownHash(text: string): Hash | null {
  const algorithm = algorithmOf(text.length);
  if (algorithm === null || !isHex(text)) return null;
  return { kind: 'hash', value: text.toLowerCase(), algorithm };
}

function algorithmOf(digits: number): Hash['algorithm'] | null {
  if (digits === 32) return 'md5';
  if (digits === 40) return 'sha1';
  return digits === 64 ? 'sha256' : null;
}

function isHex(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 0x20;
    if (!((code >= 48 && code <= 57) || (lower >= 97 && lower <= 102))) return false;
  }
  return true;
}
