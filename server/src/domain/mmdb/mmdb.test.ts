import { Reader, type Response } from 'mmdb-lib';
import { describe, expect, test } from 'vitest';
import { formatIpv4, formatIpv6 } from '#domain/indicator/index.ts';
import { seededRandom } from '#test/seeded-random.ts';
import {
  bytesOfAddress,
  lastOf,
  type MmdbValue,
  type Network,
  networksBetween,
  RecordSet,
  regionsOf,
  SearchTree,
  Uint,
  widthOf,
  writeMmdb,
} from './index.ts';

const random = seededRandom('mmdb writer');
const below = (limit: number): number => Math.floor(random() * limit);
const textOf = (version: 4 | 6, address: bigint): string =>
  version === 4 ? formatIpv4(Number(address)) : formatIpv6(bytesOfAddress(6, address));
const MAPPED = 0xffffn << 32n;

function fileOf(tree: SearchTree, records: readonly MmdbValue[]): Buffer {
  const written = writeMmdb(tree.finish(), records);
  const metadata = written.metadata({
    databaseType: 'Test',
    description: 'Of a test',
    buildEpochS: 1_800_000_000,
  });
  return Buffer.concat([...written.content(), metadata]);
}

/** A tree whose IPv4 part is mirrored at ::/96, where every reader looks for it. */
function newTree(): { readonly tree: SearchTree; readonly close: () => void } {
  const tree = new SearchTree();
  return { tree, close: () => tree.mirrorIpv4(new Uint8Array(16), 96) };
}

function someNetwork(): Network {
  const version = random() < 0.7 ? 4 : 6;
  const width = widthOf(version);
  const bits = (version === 4 ? 2 : 8) + below(width - (version === 4 ? 1 : 7));
  // Few different beginnings, so that networks nest and touch. The first IPv6 byte keeps them away from IPv4.
  const top = version === 4 ? BigInt(below(8)) << 29n : (0x20n << 120n) | (BigInt(below(4)) << 118n);
  const tail = BigInt(below(2 ** 30)) << BigInt(below(width - 32 + 1));
  const shift = BigInt(width - bits);
  return { version, first: ((top | tail) >> shift) << shift, bits };
}

describe('the file', () => {
  test('every address has the record of the narrowest network that was put around it', () => {
    const networks = Array.from({ length: 400 }, someNetwork).sort((a, b) => a.bits - b.bits);
    const known = new Map(
      networks.map((network, at) => [`${network.version} ${network.first} ${network.bits}`, at]),
    );
    const { tree, close } = newTree();
    for (const [at, { version, first, bits }] of networks.entries())
      tree.put(bytesOfAddress(version, first), bits, at);
    close();
    const reader = new Reader<Response>(
      fileOf(
        tree,
        networks.map((_, at) => ({ place: new Uint(32, at) })),
      ),
    );
    const expected = (version: 4 | 6, address: bigint): number | null => {
      for (let bits = widthOf(version); bits >= 0; bits -= 1) {
        const shift = BigInt(widthOf(version) - bits);
        const place = known.get(`${version} ${(address >> shift) << shift} ${bits}`);
        if (place !== undefined) return place;
      }
      return null;
    };
    let found = 0;
    for (const network of networks)
      for (const address of [network.first, lastOf(network), network.first - 1n, lastOf(network) + 1n]) {
        if (address < 0n || address >= 1n << BigInt(widthOf(network.version))) continue;
        const record = reader.get(textOf(network.version, address)) as { readonly place: number } | null;
        const wanted = expected(network.version, address);
        expect(record?.place ?? null, textOf(network.version, address)).toBe(wanted);
        if (wanted !== null) found += 1;
      }
    expect(found).toBeGreaterThan(500);
  });

  test('halves with the same record become one network, and equal records stand in the file once', () => {
    const records = new RecordSet();
    const { tree, close } = newTree();
    for (let address = 0; address < 256; address += 1) {
      const record = records.numberOf({ level: 'high', sources: ['a-long-name-of-a-source'] });
      tree.put(Uint8Array.of(45, 83, 64, address), 32, record);
    }
    close();
    const file = fileOf(tree, records.values);
    expect(records.values).toHaveLength(1);
    expect(file.toString('latin1').split('a-long-name-of-a-source')).toHaveLength(2);
    const [record, bits] = new Reader<Response>(file).getWithPrefixLength('45.83.64.77');
    expect([record, bits]).toEqual([{ level: 'high', sources: ['a-long-name-of-a-source'] }, 24]);
  });

  test('a network of which nothing is known is a hole in the network around it', () => {
    const { tree, close } = newTree();
    tree.put(Uint8Array.of(45, 83, 64, 0), 24, 0);
    tree.put(Uint8Array.of(45, 83, 64, 8), 30, null);
    close();
    const reader = new Reader<Response>(fileOf(tree, [{ level: 'high' }]));
    expect(reader.get('45.83.64.7')).toEqual({ level: 'high' });
    expect(reader.get('45.83.64.9')).toBeNull();
  });

  test('an IPv6 network that mirrors IPv4 answers with the record of the IPv4 address inside', () => {
    const { tree, close } = newTree();
    tree.put(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 8, 1);
    tree.put(Uint8Array.of(45, 83, 64, 1), 32, 0);
    close();
    tree.mirrorIpv4(bytesOfAddress(6, MAPPED), 96);
    tree.mirrorIpv4(bytesOfAddress(6, 0x2002n << 112n), 16);
    const reader = new Reader<Response>(fileOf(tree, [{ level: 'high' }, { level: 'wide' }]));
    expect(reader.get('::ffff:45.83.64.1')).toEqual({ level: 'high' });
    expect(reader.get('2002:2d53:4001::9')).toEqual({ level: 'high' });
    expect(reader.get('45.83.64.2')).toBeNull();
    expect(reader.get('64:1::1')).toEqual({ level: 'wide' });
  });

  test('an empty database is readable', () => {
    const { tree, close } = newTree();
    close();
    const reader = new Reader<Response>(fileOf(tree, []));
    expect([reader.get('45.83.64.1'), reader.get('2a00::1')]).toEqual([null, null]);
    expect(reader.metadata).toMatchObject({
      binaryFormatMajorVersion: 2,
      buildEpoch: new Date(1_800_000_000_000),
      ipVersion: 6,
      recordSize: 24,
      languages: ['en'],
    });
  });

  test('records that 24 bits cannot point at have 28, and long texts and arrays are read back', () => {
    const { tree, close } = newTree();
    const long = 'x'.repeat(16_800_000);
    const many = Array.from({ length: 70_000 }, (_, at) => (at % 2 === 0 ? 'even' : `odd ${at % 9}`));
    const values: readonly MmdbValue[] = [
      { long, no: false },
      { many, yes: true, zero: new Uint(64, 0) },
    ];
    tree.put(Uint8Array.of(45, 0, 0, 0), 8, 0);
    tree.put(Uint8Array.of(46, 0, 0, 0), 8, 1);
    close();
    const reader = new Reader<Response>(fileOf(tree, values));
    expect(reader.metadata.recordSize).toBe(28);
    expect(reader.get('45.1.1.1')).toEqual({ long, no: false });
    expect(reader.get('46.1.1.1')).toEqual({ many, yes: true, zero: 0n });
  });

  test('a number that does not fit its width is refused', () => {
    expect(() => new Uint(16, 65_536)).toThrow(RangeError);
    expect(() => new Uint(16, -1)).toThrow(RangeError);
  });
});

describe('regions of a range', () => {
  test('the address that stands for a region lies in it and in no narrower one', () => {
    for (let round = 0; round < 200; round += 1) {
      const inside = Array.from({ length: 1 + below(12) }, (): Network => {
        const bits = 24 + below(9);
        return { version: 4, first: BigInt((below(256) >> (32 - bits)) << (32 - bits)), bits };
      });
      const regions = regionsOf([{ version: 4, first: 0n, bits: 24 }, ...inside]);
      for (const region of regions) {
        const narrower = regions.filter(
          (other) =>
            other.bits > region.bits && other.first >= region.first && lastOf(other) <= lastOf(region),
        );
        const holds = (address: bigint) => !narrower.some((n) => address >= n.first && address <= lastOf(n));
        const addresses = Array.from(
          { length: Number(lastOf(region) - region.first) + 1 },
          (_, at) => region.first + BigInt(at),
        );
        const isFilled = !addresses.some(holds);
        expect(region.free === null).toBe(isFilled);
        if (region.free !== null) expect(holds(region.free) && addresses.includes(region.free)).toBe(true);
      }
    }
  });

  test('a span of addresses is written as the fewest networks', () => {
    const text = (first: bigint, last: bigint) =>
      networksBetween(4, first, last).map(({ first: from, bits }) => `${from}/${bits}`);
    expect(text(0n, 255n)).toEqual(['0/24']);
    expect(text(1n, 6n)).toEqual(['1/32', '2/31', '4/31', '6/32']);
    expect(text(0n, (1n << 32n) - 1n)).toEqual(['0/0']);
  });
});
