import { expect, test } from 'vitest';
import type { Listing } from '#capabilities/corpus/index.ts';
import { registrySource } from '#test/registry.ts';
import { closestListings } from './closest-listings.ts';

const source = registrySource({ number: 1 });
const listing = (
  matchType: Listing['matchType'],
  matched: string,
  given: Partial<Listing> = {},
): Listing => ({
  source,
  matchType,
  matched,
  firstSeenS: 0,
  lastSeenS: 0,
  confidence: -1,
  dating: 'own',
  ...given,
});

test('the closest listing of each source counts: the indicator itself, the narrowest range, the nearest parent', () => {
  const exact = listing('exact', '10.100.1.1');
  const wide = listing('cidr', '10.100.0.0/16', { prefixBits: 16 });
  const narrow = listing('cidr', '10.1.1.0/24', { prefixBits: 24 });
  expect(closestListings([wide, exact])).toEqual([exact]);
  expect(closestListings([wide, narrow])).toEqual([narrow]);
  expect(closestListings([narrow, wide])).toEqual([narrow]);
  const near = listing('parent', 'b.example.com');
  expect(closestListings([listing('parent', 'example.com'), near])).toEqual([near]);
});

test('current listings count before delisted ones, and both before those of neighbours', () => {
  const delisted = listing('exact', 'evil.example', { isDelisted: true });
  const parent = listing('parent', 'example');
  const page = listing('page', 'evil.example');
  expect(closestListings([delisted, parent])).toEqual([parent]);
  expect(closestListings([page, delisted])).toEqual([delisted]);
  expect(closestListings([listing('child', 'a.evil.example'), page])).toEqual([page]);
});

test('listings are in the order of source numbers, in any order of input', () => {
  const other = { ...listing('exact', 'evil.example'), source: registrySource({ number: 7 }) };
  const mine = listing('exact', 'evil.example');
  expect(closestListings([other, mine])).toEqual([mine, other]);
});
