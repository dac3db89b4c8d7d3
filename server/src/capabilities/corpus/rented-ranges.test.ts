import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { bySize } from '#test/lane.ts';
import { registrySource } from '#test/registry.ts';
import { contextOf } from './context.ts';
import type { Source } from './contract.ts';
import { keyOf } from './indicator-key.ts';
import { openCorpus } from './lookup.ts';
import { RENTABLE_TAG } from './rented-ranges.ts';
import { pastView } from './replay/past-view.ts';
import type { Period } from './replay/store.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 7, 22);

const DELIVERY = { threatClass: 'allowlist', guard: 'service', attributes: ['cdn'] } as const;
const CLOUD = { threatClass: 'infrastructure', attributes: ['cloud'], tags: [RENTABLE_TAG] } as const;
const AKAMAI = registrySource({ number: 1, id: 'akamai', ...DELIVERY });
const LINODE = registrySource({ number: 2, id: 'linode', ...CLOUD });
const MAIL = registrySource({
  number: 3,
  id: 'mail',
  threatClass: 'allowlist',
  guard: 'service',
  attributes: ['saas'],
});
const THREAT = registrySource({ number: 4, id: 'threat' });
const HOSTING = registrySource({
  number: 5,
  id: 'hosting',
  threatClass: 'infrastructure',
  attributes: ['cloud'],
});
const SOURCES: readonly Source[] = [AKAMAI, LINODE, MAIL, THREAT, HOSTING];

const parsed = (text: string): Indicator => {
  const result = parseIndicator(text);
  if (!result.ok) throw new Error(result.reason);
  return result.indicator;
};

const period = (source: Source, text: string, given: Partial<Period> = {}): Period => ({
  key: Buffer.from(keyOf(parsed(text))),
  sourceNumber: source.number,
  listedFromMs: NOW_MS - 10 * DAY_MS,
  listedToMs: null,
  firstSeenS: 1_000,
  lastSeenS: null,
  leftS: null,
  confidence: null,
  rank: null,
  datedBy: 2,
  family: null,
  reference: null,
  familyNumber: null,
  referenceNumber: null,
  ...given,
});

/** The ids of the sources that are found for a value, in a corpus of these entries, at a moment. */
function foundIn(
  entries: readonly Period[],
  text: string,
  { atMs = NOW_MS, sources = SOURCES }: { readonly atMs?: number; readonly sources?: readonly Source[] } = {},
) {
  const periods = [...entries].sort(
    (a, b) => Buffer.compare(a.key, b.key) || a.sourceNumber - b.sourceNumber,
  );
  const view = pastView({ seq: 1, atMs, sources, periods, related: [], neighbours: [], aliases: [] });
  const { listings } = openCorpus({ view: () => view }).lookup(parsed(text));
  return {
    ids: listings.map(({ source }) => source.id),
    guards: contextOf(listings, parsed(text)).guards.map(({ guard, sourceId, matched }) => [
      guard,
      sourceId,
      matched,
    ]),
  };
}

describe('a range of a rentable cloud inside the range of a delivery network', () => {
  const entries = [period(AKAMAI, '172.224.0.0/12'), period(LINODE, '172.232.0.0/17')];

  test('takes its part out of it: no guard, and no listing of the delivery network', () => {
    expect(foundIn(entries, '172.232.1.1')).toEqual({ ids: ['linode'], guards: [] });
  });

  test('leaves the rest of it, under the range as its publisher writes it', () => {
    for (const rest of ['172.232.128.1', '172.239.255.255', '172.224.0.0'])
      expect(foundIn(entries, rest).guards).toEqual([['service', 'akamai', '172.224.0.0/12']]);
  });

  test('also counts for a URL of such an address and for a range inside it', () => {
    expect(foundIn(entries, 'http://172.232.1.1/x').guards).toEqual([]);
    expect(foundIn(entries, '172.232.1.0/24').guards).toEqual([]);
    expect(foundIn(entries, '172.232.0.0/17').guards).toEqual([]);
    expect(foundIn(entries, '172.232.0.0/16').guards).toHaveLength(1);
  });

  test('leaves other guards, labels and threat lists as they are', () => {
    const more = [
      ...entries,
      period(MAIL, '172.232.0.0/16'),
      period(THREAT, '172.224.0.0/12'),
      period(THREAT, '172.232.1.1'),
    ];
    const { ids, guards } = foundIn(more, '172.232.1.1');
    expect(ids).toEqual(['threat', 'linode', 'mail', 'threat']);
    expect(guards).toEqual([['service', 'mail', '172.232.0.0/16']]);
  });

  test('takes it out of every wider range, however many lie between', () => {
    const more = [...entries, period(AKAMAI, '172.232.0.0/13'), period(THREAT, '172.232.0.0/14')];
    expect(foundIn(more, '172.232.1.1').ids).toEqual(['linode', 'threat']);
    expect(foundIn(more, '172.233.0.1').ids).toEqual(['threat', 'akamai', 'akamai']);
  });

  test('of a single address, too', () => {
    const more = [period(AKAMAI, '172.224.0.0/12'), period(LINODE, '172.225.0.1')];
    expect(foundIn(more, '172.225.0.1').guards).toEqual([]);
    expect(foundIn(more, '172.225.0.2').guards).toHaveLength(1);
  });

  test('of IPv6', () => {
    const more = [period(AKAMAI, '2600:3c00::/28'), period(LINODE, '2600:3c01::/32')];
    expect(foundIn(more, '2600:3c01::1').ids).toEqual(['linode']);
    expect(foundIn(more, '2600:3c02::1').ids).toEqual(['akamai']);
  });
});

describe('the guard of the delivery network stands', () => {
  test('where both ranges are equally long', () => {
    const equal = [period(AKAMAI, '172.232.0.0/17'), period(LINODE, '172.232.0.0/17')];
    expect(foundIn(equal, '172.232.1.1').guards).toEqual([['service', 'akamai', '172.232.0.0/17']]);
  });

  test('where it is the narrower one', () => {
    const inner = [
      period(AKAMAI, '172.224.0.0/12'),
      period(LINODE, '172.232.0.0/16'),
      period(AKAMAI, '172.232.1.0/24'),
    ];
    expect(foundIn(inner, '172.232.1.1').guards).toEqual([['service', 'akamai', '172.232.1.0/24']]);
    expect(foundIn(inner, '172.232.2.1').guards).toEqual([]);
    const edge = [period(LINODE, '172.232.0.0/16'), period(AKAMAI, '172.232.1.1')];
    expect(foundIn(edge, '172.232.1.1').guards).toEqual([['service', 'akamai', '172.232.1.1']]);
  });

  test('where a list of hosting networks does not say that anyone can rent there', () => {
    const hosting = [period(AKAMAI, '172.224.0.0/12'), period(HOSTING, '172.232.0.0/17')];
    expect(foundIn(hosting, '172.232.1.1').guards).toHaveLength(1);
  });

  test('where the list of the cloud is switched off, or accuses', () => {
    const entries = [period(AKAMAI, '172.224.0.0/12'), period(LINODE, '172.232.0.0/17')];
    const off = [AKAMAI, { ...LINODE, enabled: false }];
    expect(foundIn(entries, '172.232.1.1', { sources: off }).guards).toHaveLength(1);
    const accusing = [AKAMAI, { ...LINODE, threatClass: 'threat' as const }];
    expect(foundIn(entries, '172.232.1.1', { sources: accusing }).guards).toHaveLength(1);
  });
});

test('a past moment is read with the ranges of that moment', () => {
  const entries = [
    period(AKAMAI, '172.224.0.0/12'),
    period(LINODE, '172.232.0.0/17', { listedFromMs: NOW_MS - DAY_MS }),
    period(LINODE, '172.233.0.0/17', { listedToMs: NOW_MS - DAY_MS, leftS: NOW_MS / 1_000 - 86_400 }),
  ];
  const before = { atMs: NOW_MS - 2 * DAY_MS };
  expect(foundIn(entries, '172.232.1.1').guards).toEqual([]);
  expect(foundIn(entries, '172.232.1.1', before).guards).toHaveLength(1);
  expect(foundIn(entries, '172.233.1.1').guards).toHaveLength(1);
  expect(foundIn(entries, '172.233.1.1', before).guards).toEqual([]);
});

test('generated ranges: a delivery network guards exactly where no narrower rentable range covers', () => {
  const range = fc
    .tuple(fc.integer({ min: 8, max: 31 }), fc.nat(3), fc.nat(255))
    .map(([bits, host, last]) => {
      const address = ((10 << 24) | (host << 16) | (last << 8) | last) >>> 0;
      const first = bits === 0 ? 0 : (address & (-1 << (32 - bits))) >>> 0;
      return { bits, first };
    });
  const text = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
  const covers = ({ bits, first }: { bits: number; first: number }, address: number) =>
    (address & (-1 << (32 - bits))) >>> 0 === first;
  fc.assert(
    fc.property(
      fc.uniqueArray(range, { maxLength: 5, selector: ({ bits, first }) => `${first}/${bits}` }),
      fc.uniqueArray(range, { maxLength: 5, selector: ({ bits, first }) => `${first}/${bits}` }),
      fc.tuple(fc.nat(3), fc.nat(255)),
      (networks, clouds, [host, last]) => {
        const address = ((10 << 24) | (host << 16) | (last << 8) | last) >>> 0;
        const named = (source: Source) => (one: { bits: number; first: number }) =>
          period(source, `${text(one.first)}/${one.bits}`);
        const entries = [...networks.map(named(AKAMAI)), ...clouds.map(named(LINODE))];
        const inner = Math.max(0, ...clouds.filter((one) => covers(one, address)).map(({ bits }) => bits));
        const standing = networks.filter((one) => covers(one, address) && one.bits >= inner);
        expect(foundIn(entries, text(address)).ids.filter((id) => id === 'akamai')).toHaveLength(
          standing.length,
        );
      },
    ),
    { numRuns: bySize(300, 5_000) },
  );
});
