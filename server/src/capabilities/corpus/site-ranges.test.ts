import { expect, test } from 'vitest';
import { parseIndicator } from '#domain/indicator/index.ts';
import { keyOf } from './indicator-key.ts';
import { confidenceAt, firstSeenAt, LISTING_BYTES, lastSeenAt, sourceNumberAt } from './listing-value.ts';
import { type RangeEntry, SITE_BITS } from './range-table.ts';
import { withSites } from './site-ranges.ts';

type Said = { source: number; first?: number; last?: number; confidence?: number; isDelisted?: boolean };

function packed({ source, first = 10, last = 0, confidence = 127, isDelisted = false }: Said): Buffer {
  const listing = Buffer.alloc(LISTING_BYTES);
  listing.writeUInt16BE(source, 0);
  listing.writeUInt32BE(first, 2);
  listing.writeUInt32BE(last, 6);
  listing[10] = confidence;
  listing[11] = isDelisted ? 1 : 0;
  return listing;
}

function entry(text: string, ...said: readonly Said[]): RangeEntry {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return { key: keyOf(parsed.indicator), value: Buffer.concat(said.map(packed)) };
}

const shown = (entries: readonly RangeEntry[]): string[] =>
  entries.map(({ key }) => `${Buffer.from(key.subarray(1, 9)).toString('hex')}/${key.at(-1)}`);

test('the addresses of one /64 are one site, at its place among the ranges: wider first', () => {
  const ranges = [
    entry('2a0b:f4c2::/32', { source: 1 }),
    entry('2a0b:f4c2:1:2::/64', { source: 1 }),
    entry('2a0b:f4c2:1:2::/127', { source: 1 }),
    entry('2a0b:f4c2:1:3::/96', { source: 1 }),
  ];
  const addresses = [
    entry('2a0b:f4c2:1:2::1', { source: 2 }),
    entry('2a0b:f4c2:1:2::2', { source: 2 }),
    entry('2a0b:f4c2:1:3::9', { source: 2 }),
    entry('2a0b:f4c3::9', { source: 2 }),
  ];
  expect(shown(withSites(ranges, addresses))).toEqual([
    '2a0bf4c200000000/32',
    '2a0bf4c200010002/64',
    `2a0bf4c200010002/${SITE_BITS}`,
    '2a0bf4c200010002/127',
    `2a0bf4c200010003/${SITE_BITS}`,
    '2a0bf4c200010003/96',
    `2a0bf4c300000000/${SITE_BITS}`,
  ]);
});

test('a site holds one listing a source: earliest first, latest last sighting, highest confidence', () => {
  const [site] = withSites(
    [],
    [
      entry('2a0b::1', { source: 9, last: 70 }, { source: 12, first: 5, last: 200_000_001, confidence: 20 }),
      entry('2a0b::2', { source: 9, first: 4 }, { source: 12, first: 9, last: 200_000_002, confidence: 10 }),
    ],
  );
  const value = site?.value ?? new Uint8Array();
  const said = [0, LISTING_BYTES].map((at) => [
    sourceNumberAt(value, at),
    firstSeenAt(value, at),
    lastSeenAt(value, at),
    confidenceAt(value, at),
  ]);
  // A last sighting of 0 stands for the date of the source's newest data, so it is the latest.
  expect(said).toEqual([
    [9, 4, 0, 127],
    [12, 5, 200_000_002, 20],
  ]);
  expect(value.length).toBe(2 * LISTING_BYTES);
});

test('an address that was delisted makes no site', () => {
  expect(withSites([], [entry('2a0b::1', { source: 9, isDelisted: true })])).toEqual([]);
});
