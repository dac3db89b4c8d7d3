import { randomBytes } from 'node:crypto';

/** Ids are a prefix and a ULID (decisions 1.1), so they sort by time and name their kind. */
export type IdPrefix =
  | 'arq'
  | 'aud'
  | 'cmp'
  | 'frm'
  | 'ind'
  | 'inv'
  | 'key'
  | 'lic'
  | 'ltr'
  | 'nws'
  | 'org'
  | 'per'
  | 'psk'
  | 'rcl'
  | 'reg'
  | 'req'
  | 'rpt'
  | 'run'
  | 'sbm'
  | 'ses'
  | 'usr';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const RANDOM_BYTES = 16;

export function newId(prefix: IdPrefix, nowMs: number): string {
  return `${prefix}_${ulid(nowMs)}`;
}

export function ulid(nowMs: number): string {
  let time = '';
  for (let left = nowMs, i = 0; i < TIME_CHARS; i += 1) {
    time = CROCKFORD.charAt(left % 32) + time;
    left = Math.floor(left / 32);
  }
  let random = '';
  for (const byte of randomBytes(RANDOM_BYTES)) random += CROCKFORD.charAt(byte & 31);
  return time + random;
}
