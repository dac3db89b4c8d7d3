import { expect, test } from 'vitest';
import type { Listing } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { assess, createVerdictMemo } from '#capabilities/judging/index.ts';
import { indicatorOf } from '#test/check-deps.ts';
import { registrySource } from '#test/registry.ts';
import type { CheckResult } from './contract.ts';
import { CheckResult as CheckSchema } from './contract.ts';
import { presentCheck } from './present-check.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const FIRST_S = Date.UTC(2026, 9, 1) / 1_000;
const memo = createVerdictMemo();
const sources = [1, 2, 3].map((number) =>
  registrySource({
    number,
    id: `list-${number}`,
    category: 'c2',
    reliability: number / 10,
    dataAtS: FIRST_S,
  }),
);
const registry = { version: '00000000', sources };
const REPORT = 'https://report.example.com/1';

function check(
  text: string,
  given: readonly Partial<Listing>[],
  level: 'basic' | 'standard' = 'basic',
): CheckResult {
  const listings = given.map(
    (each, at): Listing => ({
      source: sources[at] as (typeof sources)[number],
      matchType: 'exact',
      matched: text,
      firstSeenS: FIRST_S,
      lastSeenS: FIRST_S,
      confidence: -1,
      dating: 'undated',
      ...each,
    }),
  );
  const answer = { seq: 1, registry, listings };
  const moment = { nowMs: NOW_MS, answer, book: EMPTY_BOOK, asnListing: () => null };
  return CheckSchema.parse(presentCheck(assess(memo, indicatorOf(text), moment), level, null));
}
const DATE_FIELDS = ['dating', 'reportedAt', 'listedSince'] as const;

test('the date of an entry is shown as what it is: reported by the source, first sighted, or none (O55)', () => {
  const { sources: shown } = check('45.1.1.1', [
    { dating: 'own' },
    { dating: 'sighted' },
    { dating: 'undated' },
  ]);
  expect(shown?.map((entry) => DATE_FIELDS.map((field) => entry[field]))).toEqual([
    ['own', '2026-10-01T00:00:00.000Z', undefined],
    ['sighted', undefined, '2026-10-01T00:00:00.000Z'],
    ['undated', undefined, undefined],
  ]);
});

test('an entry has the word and the report of its own listing, and no other entry of that source has them', () => {
  const named = check('45.1.1.1', [{ family: 'win.remcos', reference: REPORT }]);
  expect(named.sources?.[0]).toMatchObject({ family: 'win.remcos', reference: REPORT });
  const [bare] = check('45.1.1.2', [{}]).sources ?? [];
  expect([bare?.family, bare?.reference]).toEqual([undefined, undefined]);
});

test('families stand in normal form at every level and for every kind, the strongest first (O52)', () => {
  const given = [{ family: 'win.remcos' }, { family: 'Remcos RAT' }, { family: 'elf.mirai' }];
  for (const text of ['45.1.1.1', 'evil.com', 'http://evil.com/a', 'ab'.repeat(32)])
    for (const level of ['basic', 'standard'] as const)
      expect(check(text, given, level)).toMatchObject({
        malwareFamily: 'Mirai',
        malwareFamilies: ['Mirai', 'Remcos'],
      });
  const silent = check('45.1.1.1', [{}]);
  expect([silent.malwareFamily, silent.malwareFamilies]).toEqual([undefined, undefined]);
});

test('equal listings with other families share a verdict and not the families', () => {
  expect(check('45.1.1.1', [{ family: 'remcos' }]).malwareFamily).toBe('Remcos');
  expect(check('45.1.1.2', [{ family: 'mirai' }]).malwareFamily).toBe('Mirai');
});

test('a file has its digests and what it is accused of (G12); other kinds do not', () => {
  const md5 = 'cd'.repeat(16);
  const file = check('ab'.repeat(32), [{}, { matchType: 'alias', matched: md5 }]);
  expect(file.hashInfo).toEqual({
    hashType: 'sha256',
    hash: 'ab'.repeat(32),
    md5,
    sha256: 'ab'.repeat(32),
  });
  expect([file.threatType, file.categories]).toEqual(['c2', ['c2']]);
  const unseen = check('ab'.repeat(20), []);
  expect([unseen.hashInfo?.hashType, unseen.threatType, unseen.categories]).toEqual([
    'sha1',
    undefined,
    undefined,
  ]);
  expect(check('45.1.1.1', [{}]).hashInfo).toBeUndefined();
});

test('control and direction characters in the word of a source do not reach the answer', () => {
  const [entry] = check('45.1.1.1', [{ family: 'rem\u202ecos\u0007' }]).sources ?? [];
  for (const sign of ['\u202e', '\u0007']) expect(entry?.family).not.toContain(sign);
});
