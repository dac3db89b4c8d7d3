import { expect, test } from 'vitest';
import { KIND } from '#capabilities/corpus/index.ts';
import { announcedRanges } from './announced-ranges.ts';

const four = (text: string): Uint8Array => Uint8Array.from(text.split('.').map(Number));
const six = (start: number, end: number): Uint8Array => {
  const bytes = new Uint8Array(16);
  bytes.set([0x2a, 0x0e, start]);
  bytes[15] = end;
  return bytes;
};
const span = (first: string, last: string) => ({ first: four(first), last: four(last) });
const key = (text: string): Uint8Array => Buffer.concat([Buffer.of(KIND.ipv4), four(text)]);

test('a range that is no prefix becomes several', async () => {
  expect(await announcedRanges([span('45.83.64.128', '45.83.66.255')], [], 10)).toEqual([
    { cidr: '45.83.64.128/25', listed: 0 },
    { cidr: '45.83.65.0/24', listed: 0 },
    { cidr: '45.83.66.0/24', listed: 0 },
  ]);
});

test('a range that is too wide for a page is named in parts', async () => {
  const ranges = await announcedRanges([span('13.0.0.0', '13.255.255.255')], [key('13.7.1.1')], 3);
  expect(ranges).toEqual([
    { cidr: '13.7.0.0/16', listed: 1 },
    { cidr: '13.0.0.0/16', listed: 0 },
    { cidr: '13.1.0.0/16', listed: 0 },
  ]);
});

test('the most listed come first, of both versions, and each address counts once', async () => {
  const spans = [
    span('45.83.64.0', '45.83.64.255'),
    span('45.90.0.0', '45.90.0.255'),
    { first: six(1, 0), last: six(1, 255) },
  ];
  const ipv6 = Buffer.concat([Buffer.of(KIND.ipv6), six(1, 7)]);
  const listed = [key('45.83.64.1'), key('45.90.0.1'), key('45.90.0.2'), ipv6];
  expect(await announcedRanges(spans, listed, 10)).toEqual([
    { cidr: '45.90.0.0/24', listed: 2 },
    { cidr: '45.83.64.0/24', listed: 1 },
    { cidr: '2a0e:100::/120', listed: 1 },
  ]);
});

test('a network without ranges has none', async () => {
  expect(await announcedRanges([], [], 10)).toEqual([]);
});
