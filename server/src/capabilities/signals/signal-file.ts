import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  BUCKETS,
  indexAddresses,
  LISTED_NOW,
  type PlatformHeat,
  popularLooks,
} from '#domain/signals/index.ts';
import { sha256Of } from '#platform/sha256.ts';
import type { SignalTables } from './signal-tables.ts';

/**
 * Raise it when the layout or a rule of training changes. Files of earlier formats are read for as long as a replay may need
 * them. Format 1 had the addresses that were listed at the training, without bits, and no platforms.
 */
const FORMAT = 2;
const FORMAT_WITHOUT_BITS = 1;
const VERSION_DIGITS = 8;
const WORD = 4;

/** What a file holds, as the training made it. */
export type SignalContent = {
  /** Ascending, without repetition, each with its bits. */
  readonly addresses: Uint32Array;
  readonly bits: Uint8Array;
  readonly crowdedSystems: readonly number[];
  readonly names: SignalTables['names'];
  /** Registrable domains among the first 10,000 sites, sorted. */
  readonly popular: readonly string[];
  /** Platforms with at least three newly named tenants, sorted. */
  readonly platforms: readonly (PlatformHeat & { readonly suffix: string })[];
};

type Head = {
  readonly format: number;
  readonly addresses: number;
  readonly threshold: SignalTables['names']['threshold'];
  readonly crowdedSystems: readonly number[];
  readonly popular: readonly string[];
  readonly platforms?: SignalContent['platforms'];
};

export type SignalFile = { readonly version: string; readonly packed: Buffer };

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Length of the head, head as JSON, addresses as little-endian words, their bits, weights; all of it compressed. */
export async function packSignals(content: SignalContent): Promise<SignalFile> {
  const head: Head = {
    format: FORMAT,
    addresses: content.addresses.length,
    threshold: content.names.threshold,
    crowdedSystems: content.crowdedSystems,
    popular: content.popular,
    platforms: content.platforms,
  };
  const text = Buffer.from(JSON.stringify(head));
  const padded = Buffer.alloc(WORD + Math.ceil(text.length / WORD) * WORD, ' ');
  padded.writeUInt32LE(padded.length - WORD);
  text.copy(padded, WORD);
  const addresses = Buffer.alloc(content.addresses.length * WORD);
  for (const [at, address] of content.addresses.entries()) addresses.writeUInt32LE(address, at * WORD);
  const plain = Buffer.concat([padded, addresses, content.bits, bytesOf(content.names.weights)]);
  // The version is a hash of the uncompressed bytes, because compression may differ between releases of zlib.
  return { version: sha256Of(plain).slice(0, VERSION_DIGITS), packed: await zip(plain) };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

export async function openSignals(packed: Buffer): Promise<SignalTables> {
  const plain = await unzip(packed);
  const headBytes = plain.readUInt32LE();
  const head = JSON.parse(plain.toString('utf8', WORD, WORD + headBytes)) as Head;
  const start = WORD + headBytes;
  const hasBits = head.format !== FORMAT_WITHOUT_BITS;
  const bitsAt = start + head.addresses * WORD;
  const weightsAt = bitsAt + (hasBits ? head.addresses : 0);
  if ((hasBits && head.format !== FORMAT) || plain.length !== weightsAt + BUCKETS)
    throw new Error('A file of signals has the wrong format or length.');
  const addresses = new Uint32Array(head.addresses);
  for (let at = 0; at < head.addresses; at += 1) addresses[at] = plain.readUInt32LE(start + at * WORD);
  const bits = hasBits
    ? new Uint8Array(plain.subarray(bitsAt, weightsAt))
    : new Uint8Array(head.addresses).fill(LISTED_NOW);
  return {
    listed: indexAddresses(addresses, bits),
    crowdedSystems: new Set(head.crowdedSystems),
    names: { weights: new Int8Array(plain.subarray(weightsAt)), threshold: head.threshold },
    looks: popularLooks(head.popular),
    platforms: new Map(head.platforms?.map(({ suffix, named, size }) => [suffix, { named, size }])),
  };
}
