import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { BUCKETS, indexAddresses, popularLooks } from '#domain/signals/index.ts';
import { sha256Of } from '#platform/sha256.ts';
import type { SignalTables } from './signal-book.ts';

/** Raise it when the layout or a rule of training changes, so that older files are not opened. */
const FORMAT = 1;
const VERSION_DIGITS = 8;
const WORD = 4;

/** What a file holds, as the training made it. */
export type SignalContent = {
  /** Ascending, without repetition. */
  readonly addresses: Uint32Array;
  readonly crowdedSystems: readonly number[];
  readonly names: SignalTables['names'];
  /** Registrable domains among the first 10,000 sites, sorted. */
  readonly popular: readonly string[];
};

type Head = {
  readonly format: number;
  readonly addresses: number;
  readonly threshold: SignalTables['names']['threshold'];
  readonly crowdedSystems: readonly number[];
  readonly popular: readonly string[];
};

export type SignalFile = { readonly version: string; readonly packed: Buffer };

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Length of the head, head as JSON, addresses as little-endian words, weights; all of it compressed. */
export async function packSignals(content: SignalContent): Promise<SignalFile> {
  const head: Head = {
    format: FORMAT,
    addresses: content.addresses.length,
    threshold: content.names.threshold,
    crowdedSystems: content.crowdedSystems,
    popular: content.popular,
  };
  const text = Buffer.from(JSON.stringify(head));
  const padded = Buffer.alloc(WORD + Math.ceil(text.length / WORD) * WORD, ' ');
  padded.writeUInt32LE(padded.length - WORD);
  text.copy(padded, WORD);
  const addresses = Buffer.alloc(content.addresses.length * WORD);
  for (const [at, address] of content.addresses.entries()) addresses.writeUInt32LE(address, at * WORD);
  const { buffer, byteOffset, byteLength } = content.names.weights;
  const plain = Buffer.concat([padded, addresses, Buffer.from(buffer, byteOffset, byteLength)]);
  // The version is a hash of the uncompressed bytes, because compression may differ between releases of zlib.
  return { version: sha256Of(plain).slice(0, VERSION_DIGITS), packed: await zip(plain) };
}

export async function openSignals(packed: Buffer): Promise<SignalTables> {
  const plain = await unzip(packed);
  const headBytes = plain.readUInt32LE();
  const head = JSON.parse(plain.toString('utf8', WORD, WORD + headBytes)) as Head;
  const start = WORD + headBytes;
  if (head.format !== FORMAT || plain.length !== start + head.addresses * WORD + BUCKETS)
    throw new Error('A file of signals has the wrong format or length.');
  const addresses = new Uint32Array(head.addresses);
  for (let at = 0; at < head.addresses; at += 1) addresses[at] = plain.readUInt32LE(start + at * WORD);
  const weights = new Int8Array(plain.subarray(start + head.addresses * WORD));
  return {
    listed: indexAddresses(addresses),
    crowdedSystems: new Set(head.crowdedSystems),
    names: { weights, threshold: head.threshold },
    looks: popularLooks(head.popular),
  };
}
