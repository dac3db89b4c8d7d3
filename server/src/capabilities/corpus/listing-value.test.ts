import { expect, test } from 'vitest';
import {
  confidenceAt,
  datingAt,
  familyNumberAt,
  firstSeenAt,
  foldListings,
  isDelistedAt,
  LISTING_BYTES,
  lastSeenAt,
  nextListing,
  referenceNumberAt,
  sourceNumberAt,
  withoutNames,
} from './listing-value.ts';
import { type PackedFacts, packListing } from './replay/pack-listing.ts';

const packed = (given: Partial<PackedFacts>): Buffer =>
  packListing({
    sourceNumber: 1,
    firstSeenS: 10,
    lastSeenS: 0,
    confidence: null,
    datedBy: 0,
    isDelisted: false,
    familyNumber: null,
    referenceNumber: null,
    ...given,
  });

test('a listing without names takes 12 bytes, a family two more and a reference three more', () => {
  expect([
    packed({}).length,
    packed({ familyNumber: 1 }).length,
    packed({ referenceNumber: 1 }).length,
    packed({ familyNumber: 1, referenceNumber: 1 }).length,
  ]).toEqual([12, 14, 15, 17]);
});

test('listings with and without names are walked one by one, and each has its own facts', () => {
  const facts: readonly Partial<PackedFacts>[] = [
    { sourceNumber: 3, datedBy: 1, confidence: 0 },
    { sourceNumber: 40_000, datedBy: 2, familyNumber: 65_535, firstSeenS: 4_000_000_000 },
    { sourceNumber: 5, referenceNumber: 16_777_215, lastSeenS: 3_000_000_000, confidence: 100 },
    { sourceNumber: 6, familyNumber: 7, referenceNumber: 70_000, datedBy: 1 },
    { sourceNumber: 7, isDelisted: true, datedBy: 2 },
  ];
  const value = Buffer.concat(facts.map(packed));
  const read = [];
  for (let at = 0; at < value.length; at = nextListing(value, at))
    read.push([
      sourceNumberAt(value, at),
      firstSeenAt(value, at),
      lastSeenAt(value, at),
      confidenceAt(value, at),
      datingAt(value, at),
      isDelistedAt(value, at),
      familyNumberAt(value, at),
      referenceNumberAt(value, at),
    ]);
  expect(read).toEqual([
    [3, 10, 0, 0, 'sighted', false, 0, 0],
    [40_000, 4_000_000_000, 0, 127, 'undated', false, 65_535, 0],
    [5, 10, 3_000_000_000, 100, 'own', false, 0, 16_777_215],
    [6, 10, 0, 127, 'sighted', false, 7, 70_000],
    [7, 10, 0, 127, 'undated', true, 0, 0],
  ]);
});

test.each([
  [0, 1, 'own'],
  [1, 2, 'sighted'],
  [2, 2, 'undated'],
] as const)('of two folded listings the better dating counts: %i and %i are %s', (one, other, dating) => {
  const [a, b] = [packed({ datedBy: one }), packed({ datedBy: other })];
  expect([datingAt(foldListings(a, b), 0), datingAt(foldListings(b, a), 0)]).toEqual([dating, dating]);
});

test('a neighbour sees no names', () => {
  const bare = withoutNames(packed({ familyNumber: 4, referenceNumber: 5, datedBy: 1, confidence: 9 }), 0);
  expect([bare.length, nextListing(bare, 0), datingAt(bare, 0), confidenceAt(bare, 0)]).toEqual([
    LISTING_BYTES,
    LISTING_BYTES,
    'sighted',
    9,
  ]);
});
