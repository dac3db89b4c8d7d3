import { describe, expect, test } from 'vitest';
import { type DayOverlap, joinPairs } from './joined-pairs.ts';

const DAYS = ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-08-${day}`);
const overlap = (day: string, change: Partial<DayOverlap> = {}): DayOverlap => ({
  day,
  smaller: 1,
  larger: 2,
  containment: 0.9,
  smallerEntries: 500,
  ...change,
});
const measured = (first: readonly string[], second: readonly string[] = first) =>
  new Map([
    [1, new Set(first)],
    [2, new Set(second)],
  ]);

describe('two sources belong together when one held 80 % of the other on 5 of 7 days', () => {
  test.each([
    [7, 5, true],
    [7, 4, false],
    [6, 5, true],
    [6, 4, false],
    [4, 3, true],
    [4, 2, false],
    [2, 2, true],
    [2, 1, false],
    [1, 1, true],
  ])('of %i days measured, on %i of them: %s', (days, held, isJoined) => {
    const days7 = DAYS.slice(0, days);
    const overlaps = days7.map((day, at) => overlap(day, { containment: at < held ? 0.8 : 0.79 }));
    expect(joinPairs(overlaps, measured(days7)).length === 1).toBe(isJoined);
  });

  test('with less than seven days it is provisional', () => {
    const given = DAYS.map((day) => overlap(day));
    expect(joinPairs(given, measured(DAYS))[0]).toMatchObject({ isProvisional: false, days: 7 });
    expect(joinPairs(given.slice(0, 6), measured(DAYS.slice(0, 6)))[0]?.isProvisional).toBe(true);
  });
});

test('a source that is new today is judged by today', () => {
  const [pair] = joinPairs([overlap('2026-08-07')], measured(DAYS, ['2026-08-07']));
  expect(pair).toMatchObject({ days: 1, daysMeasured: 1, isProvisional: true });
});

test('days on which a pair was measured and did not overlap count against it', () => {
  expect(joinPairs([overlap('2026-08-07')], measured(DAYS))).toEqual([]);
});

test('sources with fewer than 100 entries are not joined', () => {
  const given = (smallerEntries: number) => DAYS.map((day) => overlap(day, { smallerEntries }));
  expect(joinPairs(given(99), measured(DAYS))).toEqual([]);
  expect(joinPairs(given(100), measured(DAYS))).toHaveLength(1);
});

test('a pair whose smaller source changed overnight is one pair, as of the latest day', () => {
  const given = DAYS.map((day, at) =>
    at < 6 ? overlap(day) : overlap(day, { smaller: 2, larger: 1, containment: 0.95 }),
  );
  expect(joinPairs(given, measured(DAYS))).toEqual([
    { smaller: 2, larger: 1, containment: 0.95, days: 7, daysMeasured: 7, isProvisional: false },
  ]);
});
