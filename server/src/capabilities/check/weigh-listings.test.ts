import { expect, test } from 'vitest';
import type { Listing, Source } from '#capabilities/corpus/index.ts';
import { closestPerSource } from './weigh-listings.ts';

const source = { number: 1, threatClass: 'threat' } as Source;
const listing = (matchType: Listing['matchType'], matched: string, prefixBits?: number): Listing => ({
  source,
  matchType,
  matched,
  firstSeenS: 0,
  lastSeenS: 0,
  confidence: -1,
  ...(prefixBits === undefined ? {} : { prefixBits }),
});

test('a source has one opinion, the closest: the thing itself, the narrowest range, the nearest parent', () => {
  const exact = listing('exact', '10.100.1.1');
  const wide = listing('cidr', '10.100.0.0/16', 16);
  const narrow = listing('cidr', '10.1.1.0/24', 24);
  expect(closestPerSource([wide, exact])).toEqual([exact]);
  expect(closestPerSource([wide, narrow])).toEqual([narrow]);
  expect(closestPerSource([narrow, wide])).toEqual([narrow]);
  const near = listing('parent', 'b.example.com');
  expect(closestPerSource([listing('parent', 'example.com'), near])).toEqual([near]);
});
