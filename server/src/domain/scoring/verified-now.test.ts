import { describe, expect, test } from 'vitest';
import { type CaseParts, caseOf, guardedBy, listed, listingOf, NOW_H, sourceOf } from './case.fixture.ts';
import type { ListingFacts, SourceFacts } from './facts.ts';
import { scoreCase } from './score-case.ts';
import { isVerifiedNow, verifiesNow } from './verified-now.ts';

const DAY_H = 24;
const DAY_S = 86_400;
const NOW_S = NOW_H * 3_600;
const TRACKER = {
  category: 'c2',
  signal: 'scanner',
  scannerKinds: ['ip', 'domain', 'url'],
  fpRisk: 'low',
} as const satisfies Partial<SourceFacts>;
const KEEPING = { ...TRACKER, semantics: 'window', keepsEntries: true } as const;
const DOMAIN = { kind: 'domain', value: 'shop.example' } as const;
const HASH = { kind: 'hash', value: '0'.repeat(64) } as const;

const isMalicious = (parts: CaseParts): boolean => scoreCase(caseOf(parts)).isMalicious;
const ofEntry = (
  settings: Partial<SourceFacts>,
  entry: Parameters<typeof listed>[2] = {},
  parts: CaseParts = {},
): boolean => isMalicious({ listings: [listed('tracker', settings, entry)], ...parts });

test('a tracker that verifies each entry itself makes a value malicious while it confirms the value', () => {
  expect(ofEntry(TRACKER)).toBe(true);
  expect(ofEntry({ ...TRACKER, signal: 'feed' })).toBe(false);
  expect(ofEntry({ ...TRACKER, scannerKinds: ['url'] })).toBe(false);
  expect(ofEntry(TRACKER, { isDelisted: true })).toBe(false);
  expect(ofEntry(TRACKER, { matchType: 'cidr', prefixBits: 30 })).toBe(false);
  expect(ofEntry(TRACKER, { matchType: 'parent' }, { subject: DOMAIN })).toBe(false);
});

test('an aggregated list never verifies, whatever its row says', () => {
  expect(ofEntry({ ...TRACKER, aggregate: true })).toBe(false);
});

describe('confirmed within seven days', () => {
  test.each<[string, Partial<SourceFacts>, Parameters<typeof listed>[2], boolean]>([
    ['a file that keeps entries: its own last sighting, 7 days', KEEPING, { ageH: 7 * DAY_H }, true],
    [
      'a file that keeps entries: its own last sighting, 7 days and an hour',
      KEEPING,
      { ageH: 7 * DAY_H + 1 },
      false,
    ],
    [
      'a file that keeps entries: the first sighting, without a later one',
      KEEPING,
      { firstSeenS: NOW_S - 8 * DAY_S, lastSeenS: NOW_S, hasOwnLastSeen: false },
      false,
    ],
    [
      'a file that keeps entries: an entry without a date may be years old',
      KEEPING,
      { dating: 'undated', firstSeenS: NOW_S, hasOwnLastSeen: false },
      false,
    ],
    [
      'a list that removes entries: an entry without a date is as new as the data',
      TRACKER,
      { dating: 'undated', firstSeenS: NOW_S - 900 * DAY_S, hasOwnLastSeen: false },
      true,
    ],
    [
      'a list that removes entries: the date of the data',
      TRACKER,
      { firstSeenS: NOW_S - 900 * DAY_S, hasOwnLastSeen: false },
      true,
    ],
    [
      'a list that removes entries, in old data',
      { ...TRACKER, dataAtS: NOW_S - 8 * DAY_S },
      { firstSeenS: NOW_S, hasOwnLastSeen: false },
      false,
    ],
    ['a list that dates its own sightings', TRACKER, { ageH: 8 * DAY_H }, false],
  ])('%s', (_, settings, entry, expected) => {
    expect(ofEntry(settings, entry)).toBe(expected);
  });

  test('a digest does not age, because a file does not change', () => {
    const samples = {
      ...TRACKER,
      category: 'malware',
      scannerKinds: ['hash'],
      semantics: 'archive',
    } as const;
    const entry = { ageH: 900 * DAY_H, matched: HASH.value };
    expect(ofEntry(samples, entry, { subject: HASH })).toBe(true);
    expect(ofEntry(samples, { ...entry, matchType: 'alias' }, { subject: HASH })).toBe(true);
  });

  test('an own list that was declared a scanner does not age', () => {
    expect(ofEntry({ ...TRACKER, ownList: true, dataAtS: NOW_S - 90 * DAY_S }, { ageH: 90 * DAY_H })).toBe(
      true,
    );
  });
});

test.each([
  [undefined, true],
  [-1, true],
  [100, true],
  [90, true],
  [89, false],
  [50, false],
  [0, false],
])('the confidence that the publisher states is %s: verified is %s', (confidence, expected) => {
  expect(ofEntry(TRACKER, confidence === undefined ? {} : { confidence })).toBe(expected);
});

describe('what contradicts a verification', () => {
  const allowlist: ListingFacts = listingOf(
    sourceOf('allow', { threatClass: 'allowlist', category: 'allowlist' }),
  );

  test('an allowlist that contains the value', () => {
    expect(ofEntry(TRACKER, {}, { listings: [listed('t', TRACKER), allowlist] })).toBe(false);
  });

  test('an allowlist also counts beside a guard that says nothing good', () => {
    const listings = [listed('t', TRACKER), allowlist];
    for (const guard of ['scanner', 'anonymity'] as const)
      expect(isMalicious({ listings, context: { guards: guardedBy(guard) } }), guard).toBe(false);
    const faint = { guards: guardedBy('popularity'), rankBucket: 1_000_000 } as const;
    expect(isMalicious({ listings, context: faint })).toBe(false);
  });

  test.each([
    ['service', false],
    ['shared-egress', false],
    ['named-service', false],
    ['anonymity', true],
    ['scanner', true],
  ] as const)('an address with the guard %s: verified is %s', (guard, expected) => {
    expect(ofEntry(TRACKER, {}, { context: { guards: guardedBy(guard) } })).toBe(expected);
  });

  test('a service that hosts a page does not contest what a tracker says of the page', () => {
    const subject = { kind: 'url', value: 'http://shop.example/x' } as const;
    const guards = guardedBy(['service', 'host']);
    expect(ofEntry(TRACKER, { matched: subject.value }, { subject, context: { guards } })).toBe(true);
  });
});

test('the field and the floor of the score are decided by the same function', () => {
  const weak = { ...TRACKER, reliability: 0.2, letter: 'C' } as const;
  const old = scoreCase(
    caseOf({ listings: [listed('t', { ...weak, ...KEEPING, reliability: 0.2 }, { ageH: 200 })] }),
  );
  expect([old.isMalicious, old.score < 60]).toEqual([false, true]);
  const now = scoreCase(caseOf({ listings: [listed('t', weak)] }));
  expect([now.isMalicious, now.score >= 60]).toEqual([true, true]);
});

test('engines and the field read the same listings', () => {
  const unsure = listed('unsure', TRACKER, { confidence: 50 });
  const sure = listed('sure', TRACKER, { confidence: 100 });
  const of = caseOf({ listings: [unsure, sure] });
  expect([verifiesNow(unsure, of), verifiesNow(sure, of), isVerifiedNow(of, [])]).toEqual([
    false,
    true,
    true,
  ]);
  const { detecting, suspecting } = scoreCase(of).engines;
  expect([detecting, suspecting].map((each) => each.map(({ source }) => source.id))).toEqual([
    ['sure'],
    ['unsure'],
  ]);
});
