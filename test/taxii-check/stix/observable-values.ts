import { isIPv4, isIPv6 } from 'node:net';
import { isObject } from '../wire.ts';

const HASH_DIGITS: Readonly<Record<string, number>> = { MD5: 32, 'SHA-1': 40, 'SHA-256': 64, 'SHA-512': 128 };
const HEX = /^[0-9a-fA-F]+$/;
/** A domain name: labels of letters of any script, digits, hyphens and underscores; no address and no URL. */
const NAME =
  /^(?!\d+(?:\.\d+){3}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?\.)*[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?\.?$/u;

/** What is wrong with the value of an observable (STIX 2.1 section 6), in a sentence; null when nothing is. */
export function badValueOf(object: Readonly<Record<string, unknown>>): string | null {
  const { type, value } = object;
  if (type === 'file') return badHashes(object.hashes);
  const isRight = TESTS[String(type)];
  if (isRight === undefined || value === undefined) return null;
  return typeof value === 'string' && isRight(value) ? null : `the value is ${JSON.stringify(value)}`;
}

const isRange = (value: string, isAddress: (text: string) => boolean, bitsMax: number): boolean => {
  const [address = '', bits, ...rest] = value.split('/');
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
  return isAddress(address) && isBits && rest.length === 0;
};

const TESTS: Readonly<Record<string, (value: string) => boolean>> = {
  'ipv4-addr': (value) => isRange(value, isIPv4, 32),
  'ipv6-addr': (value) => isRange(value, isIPv6, 128),
  'domain-name': (value) => value.length <= 255 && NAME.test(value),
  url: (value) => URL.canParse(value),
};

function badHashes(hashes: unknown): string | null {
  if (hashes === undefined) return null;
  if (!isObject(hashes) || Object.keys(hashes).length === 0)
    return 'hashes is not a dictionary with an entry';
  for (const [name, value] of Object.entries(hashes)) {
    const digits = HASH_DIGITS[name];
    if (digits === undefined) continue;
    if (typeof value !== 'string' || value.length !== digits || !HEX.test(value))
      return `the ${name} is ${JSON.stringify(value)}`;
  }
  return null;
}
