import { expect, test } from 'vitest';
import { createAssessor } from '#capabilities/judging/index.ts';
import { checkDeps, indicatorOf, NOW_MS } from '#test/check-deps.ts';
import { tellTimeline } from './tell-timeline.ts';

const assess = createAssessor(checkDeps());
const listed = assess(indicatorOf('evil.com'));
const unlisted = assess(indicatorOf('nobody.com'));
const days = <T>(count: number, day: T): T[] => Array.from({ length: count }, () => day);

test('a source that accuses now or did within the days counts once, with the first and the last sighting', () => {
  expect(tellTimeline(listed, days(30, listed))).toEqual({
    firstSeen: new Date(NOW_MS - 48 * 3_600_000).toISOString(),
    lastSeen: new Date(NOW_MS - 3_600_000).toISOString(),
    trend: 'stable',
    totalDetections: 1,
  });
});

test('a listing of a week ago gives rising, a delisting gives falling and keeps its dates', () => {
  expect(tellTimeline(listed, [...days(20, unlisted), ...days(10, listed)]).trend).toBe('rising');
  expect(tellTimeline(unlisted, [...days(20, listed), ...days(10, unlisted)])).toMatchObject({
    trend: 'falling',
    totalDetections: 1,
    lastSeen: expect.any(String),
  });
});

test('an indicator that was never listed has no dates, and an empty record is stable', () => {
  const nothing = { firstSeen: null, lastSeen: null, trend: 'stable', totalDetections: 0 };
  expect(tellTimeline(unlisted, days(30, unlisted))).toEqual(nothing);
  expect(tellTimeline(unlisted, [])).toEqual(nothing);
});
