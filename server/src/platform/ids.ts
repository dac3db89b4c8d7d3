import { randomBytes } from 'node:crypto';

/** Ids are a prefix and a ULID (decisions 1.1), so they sort by time and name their kind. */
export type IdPrefix =
  | 'act'
  | 'alrt'
  | 'arq'
  | 'aud'
  | 'brf'
  | 'case'
  | 'cev'
  | 'cmp'
  | 'dlv'
  | 'dec'
  | 'frm'
  | 'ind'
  | 'inv'
  | 'key'
  | 'lic'
  | 'ltr'
  | 'ntc'
  | 'mon'
  | 'nws'
  | 'opr'
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
  | 'usr'
  | 'whk';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const RANDOM_BYTES = 16;

export function newId(prefix: IdPrefix, nowMs: number): string {
  return `${prefix}_${ulid(nowMs)}`;
}

/** Sorts after every id made before that time and before every id made since. */
export const firstIdOf = (prefix: IdPrefix, nowMs: number): string => `${prefix}_${timeText(nowMs)}`;

function timeText(nowMs: number): string {
  let time = '';
  for (let left = nowMs, i = 0; i < TIME_CHARS; i += 1) {
    time = CROCKFORD.charAt(left % 32) + time;
    left = Math.floor(left / 32);
  }
  return time;
}

export function ulid(nowMs: number): string {
  const time = timeText(nowMs);
  let random = '';
  for (const byte of randomBytes(RANDOM_BYTES)) random += CROCKFORD.charAt(byte & 31);
  return time + random;
}
