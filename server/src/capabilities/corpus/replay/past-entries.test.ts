import { expect, test } from 'vitest';
import { registrySource } from '#test/registry.ts';
import { KIND } from '../indicator-key.ts';
import { firstSeenAt, isDelistedAt, LISTING_BYTES, lastSeenAt, sourceNumberAt } from '../listing-value.ts';
import { foldRelated, listingEntries, relatedEntries } from './past-entries.ts';
import type { Period } from './store.ts';

const DAY_MS = 86_400_000;
const LEFT_MS = Date.UTC(2026, 7, 1);
const key = (kind: number, ...bytes: number[]) => Buffer.from([kind, ...bytes]);
const IP = key(KIND.ipv4, 1, 2, 3, 4);
const sources = new Map(
  [
    registrySource({ number: 1, category: 'brute-force' }),
    registrySource({ number: 2, category: 'c2' }),
    registrySource({ number: 3, threatClass: 'infrastructure' }),
    registrySource({ number: 4, cidrSemantics: 'owned' }),
    registrySource({ number: 5, adOnly: true }),
  ].map((source) => [source.number, source]),
);
const period = (given: Partial<Period>): Period => ({
  key: IP,
  sourceNumber: 1,
  listedFromMs: LEFT_MS - 10 * DAY_MS,
  listedToMs: LEFT_MS,
  firstSeenS: 1_000,
  lastSeenS: null,
  leftS: LEFT_MS / 1_000,
  confidence: null,
  rank: null,
  datedBy: 2,
  family: null,
  reference: null,
  familyNumber: null,
  referenceNumber: null,
  ...given,
});
const stateAt = (atMs: number, ...periods: Period[]) => {
  const [entry] = listingEntries(periods, sources, atMs);
  if (entry === undefined) return 'gone';
  return isDelistedAt(entry.value, 0) ? 'fading' : 'listed';
};

test('a period holds from its first moment up to, not including, its last', () => {
  expect(stateAt(LEFT_MS - 10 * DAY_MS - 1, period({}))).toBe('gone');
  expect(stateAt(LEFT_MS - 10 * DAY_MS, period({}))).toBe('listed');
  expect(stateAt(LEFT_MS - 1, period({}))).toBe('listed');
  expect(stateAt(LEFT_MS, period({}))).toBe('fading');
});

test.each([
  // A listing fades for 5.64 half-lives, until 2 % is left; the half-life is 13 days, 7 for an owned range.
  ['an address of a brute-force list', period({}), 73.4],
  ['an address of a C2 list, whose slow part takes 151 days', period({ sourceNumber: 2 }), 90],
  ['an owned range', period({ sourceNumber: 4, key: key(KIND.cidr4, 1, 2, 3, 0, 24) }), 39.5],
  ['a C2 domain, whose 254 days are cut', period({ sourceNumber: 2, key: key(KIND.domain, 97) }), 90],
])('%s counts until it has faded', (_what, left, days) => {
  expect(stateAt(LEFT_MS + (days - 0.1) * DAY_MS, left)).toBe('fading');
  expect(stateAt(LEFT_MS + (days + 0.1) * DAY_MS, left)).toBe('gone');
});

test.each([
  ['a file', period({ key: key(KIND.sha256, 1) })],
  ['a listing of a list that does not accuse', period({ sourceNumber: 3 })],
  ['a listing of an advertising list', period({ sourceNumber: 5 })],
  ['a listing of a source that did not exist then', period({ sourceNumber: 9 })],
])('%s leaves at once', (_what, left) => {
  expect(stateAt(LEFT_MS, left)).toBe('gone');
});

test('a delisted entry ages from its own last sighting, else from the day it left', () => {
  const own = LEFT_MS / 1_000 - 5 * 86_400;
  const [undated] = listingEntries([period({})], sources, LEFT_MS);
  const [dated] = listingEntries([period({ lastSeenS: own, leftS: own })], sources, LEFT_MS);
  expect(lastSeenAt(undated?.value as Uint8Array, 0)).toBe(LEFT_MS / 1_000);
  expect(lastSeenAt(dated?.value as Uint8Array, 0)).toBe(own);
  expect(stateAt(LEFT_MS + 69 * DAY_MS, period({ lastSeenS: own, leftS: own }))).toBe('gone');
});

test('of several periods of a source the last that had begun counts, in any input order', () => {
  const again = period({ listedFromMs: LEFT_MS + DAY_MS, listedToMs: null });
  for (const periods of [
    [period({}), again],
    [again, period({})],
  ]) {
    expect(stateAt(LEFT_MS + DAY_MS - 1, ...periods)).toBe('fading');
    expect(stateAt(LEFT_MS + DAY_MS, ...periods)).toBe('listed');
  }
});

test('entries on a host are folded by kind and source: earliest, latest, and 0 while any is still listed', () => {
  const parentKey = key(KIND.domain, 97);
  const page = (byte: number, given: Partial<Period>) => ({
    ...period({ listedToMs: null, key: key(KIND.url, byte), ...given }),
    parentKey,
  });
  const folds = foldRelated(
    [
      page(1, { firstSeenS: 50, lastSeenS: 900 }),
      page(2, { firstSeenS: 40, lastSeenS: 800, confidence: 7 }),
      page(3, { sourceNumber: 2, lastSeenS: 900 }),
      page(4, { sourceNumber: 2, lastSeenS: null }),
      page(5, { sourceNumber: 2, listedToMs: LEFT_MS, firstSeenS: 1 }),
      page(6, { sourceNumber: 3 }),
    ],
    LEFT_MS,
  );
  const [entry] = relatedEntries(folds, sources);
  const value = entry?.value as Uint8Array;
  expect(value.length).toBe(2 * (1 + LISTING_BYTES));
  expect([value[0], sourceNumberAt(value, 1), firstSeenAt(value, 1), lastSeenAt(value, 1)]).toEqual([
    KIND.url,
    1,
    40,
    900,
  ]);
  expect([sourceNumberAt(value, 14), firstSeenAt(value, 14), lastSeenAt(value, 14)]).toEqual([2, 1_000, 0]);
});

test('a host is described by 64 entries at most, as the replica describes it', () => {
  const many = new Map(Array.from({ length: 80 }, (_, at) => [at + 1, registrySource({ number: at + 1 })]));
  const folds = [...many.keys()].map((sourceNumber) => ({
    parentKey: IP,
    kind: KIND.url,
    sourceNumber,
    firstSeenS: 1,
    lastSeenS: 0,
    confidence: null,
    datedBy: 0,
  }));
  expect(relatedEntries(folds, many)[0]?.value.length).toBe(64 * (1 + LISTING_BYTES));
});
