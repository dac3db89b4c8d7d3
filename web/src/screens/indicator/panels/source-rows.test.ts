import type { RiskScore, SourceEntry } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import type { ReputationSeen } from './check-seen.ts';
import { coverageSentence, emptySentence, pickedRows, sourceRows } from './source-rows.ts';

const source = (id: string, over: Partial<SourceEntry> = {}): SourceEntry => ({
  id,
  name: `Source ${id}`,
  type: 'ip',
  category: 'malware',
  categories: ['malware'],
  threatClass: 'threat',
  fpRisk: 'low',
  matchType: 'exact',
  status: 'verified',
  confidenceBase: 75,
  retentionDays: 90,
  tags: [],
  entityTypes: ['ip'],
  format: 'text',
  dating: 'undated',
  ...over,
});
const reputation = (sources: readonly SourceEntry[], over: Partial<ReputationSeen> = {}): ReputationSeen => ({
  query: '1.2.3.4',
  type: 'ip',
  malicious: false,
  blocklistHits: 0,
  blocklistListed: false,
  sources,
  reputation: { malicious: 0, suspicious: 0, harmless: 0, undetected: 0 },
  ...over,
});
const score = (...factors: readonly (readonly [string, number])[]): RiskScore => ({
  score: 50,
  level: 'medium',
  word: 'Suspicious',
  summary: '',
  factors: factors.map(([name, contribution]) => ({
    name,
    contribution,
    weight: 0,
    score: 0,
    description: `${name} says so.`,
  })),
});

describe('rows of the sources table', () => {
  test('the source that counts most comes first, then accusers, then the more reliable', () => {
    const rows = sourceRows(
      reputation([
        source('tor', { threatClass: 'infrastructure' }),
        source('weak', { confidenceBase: 20 }),
        source('strong'),
        source('counts', { confidenceBase: 10 }),
      ]),
      score(['counts', 21]),
    );
    expect(rows.map(({ id }) => id)).toEqual(['counts', 'strong', 'weak', 'tor']);
    expect(rows.map(({ contribution }) => contribution)).toEqual([21, 0, 0, 0]);
  });

  test('before the score is known no accusing source shows 0 points', () => {
    const rows = sourceRows(reputation([source('a'), source('b', { threatClass: 'policy' })]), null);
    expect(rows.map(({ contribution }) => contribution)).toEqual([null, 0]);
  });

  test.each([
    ['a threat list, whatever it accuses of', { category: 'c2' }, 'accuses', 'Accuses'],
    ['a threat list with false positives', { fpRisk: 'high' }, 'accuses', 'Accuses'],
    ['infrastructure', { threatClass: 'infrastructure' }, 'infrastructure', 'Describes'],
    ['an allow list', { threatClass: 'allowlist' }, 'good', 'Vouches'],
    ['a policy list', { threatClass: 'policy' }, 'neutral', 'Policy'],
    ['a class unknown to this version', { threatClass: 'deception' as 'threat' }, 'neutral', 'deception'],
  ] as const)('%s has its tone and word', (_case, over, tone, says) => {
    expect(sourceRows(reputation([source('a', over)]), null)[0]).toMatchObject({ tone, says });
  });

  test('a match is shown as the listed value if the service sends it, else in words', () => {
    const listing = {
      sourceId: 'a',
      value: '1.2.3.0/24',
      matchType: 'cidr' as const,
      firstSeen: null,
      lastSeen: '2026-11-01T00:00:00Z',
      contribution: 4,
    };
    const rows = sourceRows(
      reputation([source('a', { matchType: 'cidr' }), source('b', { matchType: 'cidr' }), source('c')], {
        listings: [listing],
      }),
      null,
    );
    expect(rows.map(({ match, isValue, dates }) => [match, isValue, dates])).toEqual([
      ['1.2.3.0/24', true, [{ word: 'last seen', at: '2026-11-01T00:00:00Z' }]],
      ['a range around it', false, []],
      ['exact', false, []],
    ]);
  });
});

describe('the line above the table', () => {
  const coverage = (sources: number, listing: number, fresh = sources) => ({
    kind: 'ip' as const,
    sources,
    listing,
    fresh,
  });
  test.each([
    [
      coverage(41, 5),
      '5 of 41 sources that cover IP addresses list this address. 36 do not, which is not a clean bill.',
    ],
    [
      coverage(41, 40),
      '40 of 41 sources that cover IP addresses list this address. 1 does not, which is not a clean bill.',
    ],
    [coverage(1, 1), 'The one source that covers IP addresses lists this address.'],
    [
      coverage(1, 0),
      'The one source that covers IP addresses does not list this address. That is not a clean bill.',
    ],
    [
      coverage(41, 0, 38),
      'None of the 41 sources that cover IP addresses lists this address. That is not a clean bill. 3 of the 41 have older data than they should.',
    ],
  ])('%o', (seen, sentence) => {
    expect(coverageSentence('ip', { coverage: seen, sources: [] })).toBe(sentence);
  });

  test('without the numbers of an older service it still says that silence proves nothing', () => {
    expect(coverageSentence('domain', { sources: [source('a')] })).toBe(
      '1 threat source lists this domain. The silence of the others is not a clean bill.',
    );
    expect(coverageSentence('hash', { sources: [] })).toBe(
      'No threat source lists this file. That is not a clean bill.',
    );
  });

  test.each([
    ['ip', 'No source lists this address. That is not a clean bill.'],
    ['url', 'No source lists this URL. That is not a clean bill.'],
  ] as const)('an unlisted %s is not called clean', (type, sentence) => {
    expect(emptySentence(type)).toBe(sentence);
  });
});

describe('a bar of the waterfall that was picked', () => {
  const rows = sourceRows(reputation([source('a'), source('b')]), score(['a', 3]));
  test('shows only its source', () => {
    expect(pickedRows(rows, 'a', score(['a', 3])).rows.map(({ id }) => id)).toEqual(['a']);
  });
  test('that is not a source shows its description', () => {
    expect(pickedRows(rows, 'popular', score(['popular', -3]))).toEqual({
      rows: [],
      note: 'popular says so.',
    });
  });
  test('without one all sources are shown', () => {
    expect(pickedRows(rows, null, null).rows).toHaveLength(2);
  });
});
