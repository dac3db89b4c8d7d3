import { describe, expect, test } from 'vitest';
import { type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { type AsnRange, openAsnTable, packAsnTable } from './asn-table.ts';

function ip(text: string): Ip {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error(`'${text}' is no address.`);
  return parsed.indicator;
}
const valueOfIp = (address: Ip): bigint =>
  address.version === 4 ? BigInt(address.address) : BigInt(`0x${Buffer.from(address.bytes).toString('hex')}`);

function range(first: string, last: string, asn: number, name = `Network ${asn}`): AsnRange {
  const [from, to] = [ip(first), ip(last)];
  return { version: from.version, first: valueOfIp(from), last: valueOfIp(to), asn, name };
}
const tableOf = (...ranges: readonly AsnRange[]) => openAsnTable(packAsnTable(ranges));

/** Deterministic, so that a failure can be repeated. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

describe('the packed table of networks', () => {
  test('answers as a naive search does, for 10,000 random overlapping ranges of both families', () => {
    const random = randomNumbers(7);
    const ranges = Array.from({ length: 10_000 }, (_, at): AsnRange => {
      const version = at % 2 === 0 ? 4 : 6;
      // Close together, so that ranges overlap and nest.
      const first = BigInt(random() % 1_000_000) << (version === 4 ? 8n : 80n);
      const size = BigInt(random() % 5_000) << (version === 4 ? 6n : 78n);
      return { version, first, last: first + size, asn: (random() % 900) + 1, name: `Network ${at}` };
    });
    const table = tableOf(...ranges);
    // The later start wins, then the shorter range, then the later line.
    const order = ranges
      .map((each, at) => ({ ...each, at }))
      .sort((a, b) => {
        if (a.first !== b.first) return a.first > b.first ? -1 : 1;
        if (a.last !== b.last) return a.last < b.last ? -1 : 1;
        return b.at - a.at;
      });
    const naive = (version: 4 | 6, address: bigint) =>
      order.find((each) => each.version === version && each.first <= address && address <= each.last);
    let hits = 0;
    for (let probe = 0; probe < 3_000; probe += 1) {
      const version = probe % 2 === 0 ? 4 : 6;
      const near = ranges[random() % ranges.length] as AsnRange;
      const edge = [near.first, near.last, near.last + 1n][probe % 3] as bigint;
      const address = near.version === version ? edge : BigInt(random()) << (version === 4 ? 0n : 72n);
      const expected = naive(version, address);
      const found = table.networkOf(ipOfValue(version, address));
      expect([found?.asn, found?.name]).toEqual([expected?.asn, expected?.name]);
      if (found !== null) hits += 1;
    }
    expect(hits).toBeGreaterThan(500);
  });

  test('gives the announced range as a prefix, and the widest one around the address where the range is none', () => {
    const table = tableOf(
      range('1.0.4.0', '1.0.7.255', 1),
      range('1.0.128.0', '1.0.196.255', 2),
      range('9.9.9.9', '9.9.9.9', 3),
      range('2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 4),
      range('2a00::', '2a00::5', 5),
    );
    const prefixOf = (text: string) => table.networkOf(ip(text))?.prefix;
    expect(['1.0.5.1', '9.9.9.9', '2001:db8::1'].map(prefixOf)).toEqual([
      '1.0.4.0/22',
      '9.9.9.9/32',
      '2001:db8::/32',
    ]);
    expect(['1.0.140.0', '1.0.195.7', '1.0.196.1', '2a00::3', '2a00::4'].map(prefixOf)).toEqual([
      '1.0.128.0/18',
      '1.0.192.0/22',
      '1.0.196.0/24',
      '2a00::/126',
      '2a00::4/127',
    ]);
  });

  test('finds the first and the last address of the space, and nothing between ranges', () => {
    const table = tableOf(
      range('0.0.0.0', '0.0.0.255', 1),
      range('255.255.255.0', '255.255.255.255', 2),
      range('ffff::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 3),
    );
    const asn = (text: string) => table.networkOf(ip(text))?.asn;
    expect([asn('0.0.0.0'), asn('0.0.1.0'), asn('255.255.255.255')]).toEqual([1, undefined, 2]);
    expect([asn('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'), asn('fffe::')]).toEqual([3, undefined]);
  });

  test('the same range is the same object, made once', () => {
    const table = tableOf(range('8.8.8.0', '8.8.8.255', 15_169, 'Google LLC'));
    expect(table.networkOf(ip('8.8.8.8'))).toBe(table.networkOf(ip('8.8.8.9')));
  });

  test('gives the ranges of a network by its number, also when lines name it differently', () => {
    const table = tableOf(
      range('8.8.8.0', '8.8.8.255', 15_169, 'Google LLC'),
      range('2001:4860::', '2001:4860:ffff:ffff:ffff:ffff:ffff:ffff', 15_169, 'GOOGLE'),
      range('1.1.1.0', '1.1.1.255', 13_335, 'Cloudflare, Inc.'),
    );
    const system = table.autonomousSystem(15_169);
    expect(system?.ranges.map(({ first, last }) => [first.length, last[last.length - 1]])).toEqual([
      [4, 255],
      [16, 255],
    ]);
    expect(table.autonomousSystem(13_335)?.name).toBe('Cloudflare, Inc.');
    expect(table.autonomousSystem(64_500)).toBeNull();
  });

  test('opens bytes without word alignment, and refuses bytes that are no table', () => {
    const packed = packAsnTable([range('8.8.8.0', '8.8.8.255', 15_169)]);
    const shifted = new Uint8Array(packed.length + 1);
    shifted.set(packed, 1);
    expect(openAsnTable(shifted.subarray(1)).networkOf(ip('8.8.8.8'))?.asn).toBe(15_169);
    expect(() => openAsnTable(packed.subarray(0, packed.length - 4))).toThrow(/wrong form or length/);
    expect(() => openAsnTable(new Uint8Array(8))).toThrow(/too short/);
  });
});

function ipOfValue(version: 4 | 6, value: bigint): Ip {
  if (version === 4) return { kind: 'ip', version, value: '', address: Number(value & 0xffff_ffffn) };
  const bytes = Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
  return { kind: 'ip', version, value: '', bytes };
}
