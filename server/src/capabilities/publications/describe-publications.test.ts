import { expect, test } from 'vitest';
import { describePublications, type Scoring } from './describe-publications.ts';
import { nextScheduledMs, patternOf, retryAtMs } from './schedule.ts';
import type { Publication } from './store.ts';

const NOW_MS = Date.UTC(2026, 10, 19, 2, 24, 30);
const MINUTE_MS = 60_000;
const SCORED: Scoring = { entries: 4_260_000, isCurrent: true, done: 0 };

const reportOf = (given: Partial<Publication>, scoring = SCORED) =>
  describePublications(
    [
      {
        name: 'blocklists',
        isExpected: true,
        currentAtMs: null,
        entries: null,
        triedAtMs: null,
        outcome: null,
        message: null,
        retryAtMs: null,
        ...given,
      },
    ],
    scoring,
    NOW_MS,
  )[0];

test('where nothing is imported no file is missed', () => {
  expect(reportOf({ isExpected: false }, { entries: 0, isCurrent: false, done: 0 })).toBeUndefined();
});

test('during a first import the files are missing, and the message counts the indicators that are read', () => {
  expect(reportOf({}, { entries: 0, isCurrent: false, done: 0 })).toMatchObject({
    status: 'missing',
    message: 'A first import is under way.',
  });
  expect(reportOf({}, { entries: 4_260_000, isCurrent: false, done: 1_204_000 })).toMatchObject({
    status: 'missing',
    message:
      'Not every indicator has a score yet: 1,204,000 of at most 4,260,000 read. It is built once they all have one.',
  });
});

test('a failed build is failing while the last files are served, with the kind of reason and the next try', () => {
  const failed = {
    currentAtMs: NOW_MS - 10 * MINUTE_MS,
    triedAtMs: NOW_MS,
    outcome: 'failed',
    message: 'canceling statement due to statement timeout',
  } as const;
  expect(reportOf({ ...failed, retryAtMs: NOW_MS + 7_000 })).toMatchObject({
    status: 'failing',
    message: 'The last build failed: reading the data took too long. The next try is at 02:24:37 UTC.',
  });
  expect(reportOf(failed)?.nextTryMs).toBe(Date.UTC(2026, 10, 19, 2, 30));
});

test('files that were not confirmed for an hour are late, and a silent worker is named', () => {
  const report = reportOf({
    currentAtMs: NOW_MS - 180 * MINUTE_MS,
    triedAtMs: NOW_MS - 180 * MINUTE_MS,
    outcome: 'published',
  });
  expect(report).toMatchObject({
    status: 'late',
    message: 'The last try was 3 hours ago. Is the worker process running?',
  });
  expect(reportOf({ currentAtMs: NOW_MS - 59 * MINUTE_MS, outcome: 'published' })?.status).toBe('current');
});

test('the next time of a schedule is the one that its cron pattern names', () => {
  expect(patternOf('mmdb')).toBe('3,13,23,33,43,53 * * * *');
  expect(new Date(nextScheduledMs('mmdb', NOW_MS)).toISOString()).toBe('2026-11-19T02:33:00.000Z');
  expect(new Date(nextScheduledMs('taxii', NOW_MS)).toISOString()).toBe('2026-11-19T02:25:00.000Z');
  expect(new Date(nextScheduledMs('blocklists', Date.UTC(2026, 10, 19, 2, 30))).toISOString()).toBe(
    '2026-11-19T02:40:00.000Z',
  );
});

test('a retry waits longer after each attempt, and the last attempt has none', () => {
  expect([1, 2, 3, 4].map((attempt) => Math.round((retryAtMs(0, attempt, 5) ?? 0) / 1_000))).toEqual([
    3, 7, 20, 55,
  ]);
  expect(retryAtMs(0, 5, 5)).toBeNull();
});
