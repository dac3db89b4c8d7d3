import { describe, expect, test } from 'vitest';
import { caseOf, GRADE_A, listed, NOW_H, SUBJECT } from './case.fixture.ts';
import { judgeCase } from './judge-case.ts';
import { isExpired, listingsAt } from './own-list.ts';
import { stalenessOf } from './source-freshness.ts';

const HOUR_S = 3_600;
const YEAR_H = 365 * 24;
const OWN = { ...GRADE_A, category: 'c2', ownList: true } as const;
/** Imported an hour count ago from a file that is a year older. */
const imported = (agoH: number) => ({
  lastFetchAtS: (NOW_H - agoH) * HOUR_S,
  dataAtS: (NOW_H - agoH - YEAR_H) * HOUR_S,
});
const scoreOf = (settings: object, entry: Parameters<typeof listed>[2] = {}) =>
  judgeCase(caseOf({ listings: [listed('mine', { ...OWN, ...settings }, entry)] })).riskScore.score;

describe('a list of the operator does not age', () => {
  test.each(['state', 'archive', 'window', 'delta'] as const)('with the semantics %s', (semantics) => {
    const entry = { ageH: 2 * YEAR_H };
    expect(scoreOf({ ...imported(YEAR_H), semantics }, entry)).toBe(83);
    expect(scoreOf({ ...imported(YEAR_H), semantics, ownList: false }, entry)).toBeLessThan(35);
  });

  test('nor an entry without a date in a file that keeps entries', () => {
    const entry = { ageH: YEAR_H, dating: 'undated', hasOwnLastSeen: false } as const;
    expect(scoreOf({ ...imported(YEAR_H), keepsEntries: true }, entry)).toBe(83);
  });

  test('and its sentence states the import and the date of the file', () => {
    const entry = { ageH: YEAR_H, dating: 'undated', hasOwnLastSeen: false } as const;
    const { evidence } = judgeCase(
      caseOf({ listings: [listed('mine', { ...OWN, ...imported(48) }, entry)] }),
    );
    expect(evidence.reasons[0]).toMatch(
      /^mine lists it for command and control, imported on \d{4}-\d\d-\d\d from a file of \d{4}-\d\d-\d\d\.$/,
    );
  });

  test('is fresh however old its data is, until its days are over', () => {
    const source = { ...OWN, ...imported(YEAR_H), intervalS: 86_400 };
    const nowMs = NOW_H * HOUR_S * 1_000;
    expect(stalenessOf(source, nowMs)).toMatchObject({ isFresh: true, isStale: false });
    expect(stalenessOf({ ...source, expiresDays: 365 }, nowMs)).toMatchObject({
      isFresh: false,
      isStale: true,
    });
    expect(stalenessOf({ ...source, ownList: false }, nowMs)).toMatchObject({
      isFresh: false,
      isStale: true,
    });
  });
});

describe('the days of --expires', () => {
  test('end with the hour in which they are over', () => {
    const source = { ownList: true, expiresDays: 30, lastFetchAtS: NOW_H * HOUR_S + 1_800 };
    expect(isExpired(source, NOW_H + 30 * 24)).toBe(false);
    expect(isExpired(source, NOW_H + 30 * 24 + 1)).toBe(true);
  });

  test('never end without them, nor for a source of the catalog', () => {
    const source = { ownList: true, expiresDays: 0, lastFetchAtS: 1 };
    expect(isExpired(source, NOW_H)).toBe(false);
    expect(isExpired({ ...source, expiresDays: 1, ownList: false }, NOW_H)).toBe(false);
  });

  test('take every point with them, and the reason says when', () => {
    const listings = [listed('mine', { ...OWN, ...imported(31 * 24), expiresDays: 30 })];
    const verdict = judgeCase(caseOf({ listings }));
    expect(verdict.riskScore.score).toBe(0);
    expect(verdict.blocklistHits).toBe(0);
    expect(verdict.evidence.reasons.join(' ')).toMatch(
      /mine listed it for command and control until \d{4}-\d\d-\d\d, when the list expired\./,
    );
  });

  test('leave the listings of other sources as they are', () => {
    const listings = [listed('other', { category: 'c2' })];
    expect(listingsAt(listings, NOW_H)).toBe(listings);
    expect(listings[0]?.matched).toBe(SUBJECT.value);
  });
});
