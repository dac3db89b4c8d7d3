import { Reader, type Response } from 'mmdb-lib';
import type { Metadata } from 'mmdb-lib/lib/metadata.js';
import { formatIpv4, formatIpv6, type Ip } from '#domain/indicator/index.ts';
import { BrokenTree, ipv4Finder, type Leaf, walkTree } from './mmdb-tree.ts';
import { RefusedFile } from './refused-file.ts';

export type MmdbRecord = Readonly<Record<string, unknown>>;

export type Mmdb = {
  readonly metadata: Metadata;
  readonly get: (ip: Ip) => MmdbRecord | null;
};

const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const CACHE_MAX = 20_000;

export const isMmdb = (bytes: Buffer): boolean => bytes.lastIndexOf(MARKER) >= 0;

/** Opens without reading the whole file, because stored files were verified when they were loaded. */
export function openMmdb(bytes: Buffer): Mmdb {
  const reader = new Reader<Response>(bytes, { cache: boundedCache() });
  const isIpv4Only = reader.metadata.ipVersion === 4;
  const find = ipv4Finder(bytes, reader.metadata);
  const found = boundedCache();
  const read = (ip: Ip): MmdbRecord | null => (reader.get(ip.value) as MmdbRecord | null | undefined) ?? null;
  return {
    metadata: reader.metadata,
    get: (ip) => {
      // An IPv6 address would walk an IPv4 tree along the wrong bits and find a wrong answer.
      if (ip.version === 6) return isIpv4Only ? null : read(ip);
      const at = find(ip.address);
      if (at === null) return null;
      const known = found.get(at) as MmdbRecord | null | undefined;
      if (known !== undefined) return known;
      const record = read(ip);
      found.set(at, record);
      return record;
    },
  };
}

/** Decoded records by offset: a file of countries has only 250 of them. */
function boundedCache() {
  const known = new Map<string | number, unknown>();
  return {
    get: (key: string | number) => known.get(key),
    set: (key: string | number, value: unknown) => {
      if (known.size >= CACHE_MAX) known.clear();
      known.set(key, value);
    },
  };
}

export type Network = Pick<Leaf, 'version' | 'first' | 'bits'> & { readonly record: MmdbRecord };

/**
 * Reads a whole MaxMind DB, every network and every record once, and refuses it when any of them cannot be read, so
 * that a lookup never meets a damaged record. `onNetwork` gets a reused `first`.
 */
export function readMmdb(label: string, bytes: Buffer, onNetwork: (network: Network) => void): Metadata {
  const dataEnd = bytes.lastIndexOf(MARKER);
  if (dataEnd < 0)
    throw new RefusedFile(`${label} is no MaxMind DB, or was cut off: it has no description at its end.`);
  try {
    const reader = new Reader<Response>(bytes);
    const records = new Map<number, MmdbRecord>();
    walkTree(bytes, reader.metadata, dataEnd, (leaf) => {
      let record = records.get(leaf.offset);
      if (record === undefined) {
        record = recordAt(reader, leaf);
        records.set(leaf.offset, record);
      }
      onNetwork({ version: leaf.version, first: leaf.first, bits: leaf.bits, record });
    });
    return reader.metadata;
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    const what = error instanceof BrokenTree ? error.message : 'a record cannot be read';
    throw new RefusedFile(`${label} is a damaged MaxMind DB: ${what}.`, { cause: error });
  }
}

function recordAt(reader: Reader<Response>, { version, first }: Leaf): MmdbRecord {
  const text =
    version === 4
      ? formatIpv4(new DataView(first.buffer, first.byteOffset, 4).getUint32(0))
      : formatIpv6(first);
  const record: unknown = reader.get(text);
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new Error('the record of a network is not a map');
  return record as MmdbRecord;
}
