import { hash } from 'node:crypto';
import type { Listable } from '#domain/indicator/index.ts';

/** First byte of every key. It is stored in PostgreSQL and in every replica, so numbers are never reused. */
export const KIND = {
  ipv4: 1,
  ipv6: 2,
  cidr4: 3,
  cidr6: 4,
  domain: 5,
  url: 6,
  md5: 7,
  sha1: 8,
  sha256: 9,
  email: 10,
  asn: 11,
  crypto: 12,
  phone: 13,
} as const;

/** A URL may be 2,048 characters long. With 16 bytes of SHA-256, crafting a collision costs 2^64 attempts. */
const URL_DIGEST_BYTES = 16;
const TEXT_MAX = 254;

export type KeyWriter = {
  /** The key of an indicator: kind byte and payload. Valid until the next call, because the buffers are reused. */
  readonly of: (indicator: Listable) => Uint8Array;
  /** The key of the parent domain that starts at `start` in `name`, without making a substring. */
  readonly domainAt: (name: string, start: number) => Uint8Array;
};

export function createKeyWriter(): KeyWriter {
  const ipv4 = keyBuffer(KIND.ipv4, 4);
  const ipv6 = keyBuffer(KIND.ipv6, 16);
  const cidr4 = keyBuffer(KIND.cidr4, 5);
  const cidr6 = keyBuffer(KIND.cidr6, 17);
  const url = keyBuffer(KIND.url, URL_DIGEST_BYTES);
  const hashes = {
    md5: keyBuffer(KIND.md5, 16),
    sha1: keyBuffer(KIND.sha1, 20),
    sha256: keyBuffer(KIND.sha256, 32),
  };
  const domains = textBuffers(KIND.domain);
  const emails = textBuffers(KIND.email);
  const asn = keyBuffer(KIND.asn, 4);
  const crypto = textBuffers(KIND.crypto);
  const phones = textBuffers(KIND.phone);

  const of = (indicator: Listable): Uint8Array => {
    switch (indicator.kind) {
      case 'ip':
        if (indicator.version === 6) return withBytes(ipv6, indicator.bytes);
        return withAddress(ipv4, indicator.address);
      case 'domain':
        return withText(domains, indicator.value, 0);
      case 'url':
        return withBytes(url, hash('sha256', indicator.value, 'buffer').subarray(0, URL_DIGEST_BYTES));
      case 'hash':
        hashes[indicator.algorithm].write(indicator.value, 1, 'hex');
        return hashes[indicator.algorithm];
      case 'email':
        return withText(emails, indicator.value, 0);
      case 'asn':
        return withAddress(asn, indicator.number);
      case 'crypto':
        return withText(crypto, indicator.value, 0);
      case 'phone':
        return withText(phones, indicator.value, 0);
      case 'cidr':
        if (indicator.version === 4) return withBits(withAddress(cidr4, indicator.address), indicator.bits);
        return withBits(withBytes(cidr6, indicator.bytes), indicator.bits);
    }
  };
  return { of, domainAt: (name, start) => withText(domains, name, start) };
}

const HASH_KEY_BYTES: Readonly<Record<number, number>> = {
  [KIND.md5]: 17,
  [KIND.sha1]: 21,
  [KIND.sha256]: 33,
};

/** Length of the digest key at `at`; digest keys are stored one after another. */
export function hashKeyBytes(keys: Uint8Array, at: number): number {
  const bytes = HASH_KEY_BYTES[keys[at] as number];
  if (bytes === undefined) throw new Error('A list of digests holds a key of another kind.');
  return bytes;
}

export const hashTextAt = (key: Uint8Array): string =>
  Buffer.from(key.buffer, key.byteOffset + 1, key.byteLength - 1).toString('hex');

/** A key in a buffer of its own, for callers that keep it. */
export const keyOf = (indicator: Listable): Uint8Array => Uint8Array.from(createKeyWriter().of(indicator));

function keyBuffer(kind: number, payloadBytes: number): Buffer {
  const buffer = Buffer.alloc(1 + payloadBytes);
  buffer[0] = kind;
  return buffer;
}

/** One buffer per length, made on first use: cutting a view out of a larger one costs more than writing the key. */
function textBuffers(kind: number): (length: number) => Buffer {
  const byLength: Buffer[] = [];
  return (length) => {
    if (length > TEXT_MAX) throw new RangeError(`A key holds at most ${TEXT_MAX} characters.`);
    byLength[length] ??= keyBuffer(kind, length);
    return byLength[length];
  };
}

/** Canonical names and addresses are ASCII (decisions 3.1). */
function withText(buffers: (length: number) => Buffer, text: string, start: number): Buffer {
  const buffer = buffers(text.length - start);
  for (let at = 1; at < buffer.length; at += 1) buffer[at] = text.charCodeAt(start + at - 1);
  return buffer;
}

function withAddress(buffer: Buffer, address: number): Buffer {
  buffer[1] = address >>> 24;
  buffer[2] = address >>> 16;
  buffer[3] = address >>> 8;
  buffer[4] = address;
  return buffer;
}

function withBytes(buffer: Buffer, bytes: Uint8Array): Buffer {
  buffer.set(bytes, 1);
  return buffer;
}

function withBits(buffer: Buffer, bits: number): Buffer {
  buffer[buffer.length - 1] = bits;
  return buffer;
}
