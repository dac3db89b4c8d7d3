import { randomBytes } from 'node:crypto';

/** Decisions 1.1: ids are a prefix and a ULID, so they sort by time and say what they name. */
export const ID_PREFIXES = [
  'acc',
  'aud',
  'key',
  'lic',
  'mem',
  'org',
  'req',
  'rpt',
  'run',
  'ses',
  'sbm',
  'src',
  'sub',
  'usr',
  'wrk',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const RANDOM_BYTES = 16;

export function newId(prefix: IdPrefix, nowMs: number): string {
  return `${prefix}_${ulid(nowMs)}`;
}

/** 48 bits of time, 80 bits of randomness, in 26 characters of Crockford base 32. */
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
