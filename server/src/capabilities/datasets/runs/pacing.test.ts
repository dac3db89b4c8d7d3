import { expect, test } from 'vitest';
import { firstRunMs, nextRetryMs, nextRunMs } from './pacing.ts';

const HOUR = 3_600_000;
const hourly = { pollS: 3_600, minIntervalS: 1_800 };
const retry = (failures: number, retryAfterMs: number | null = null, row = hourly) =>
  nextRetryMs(row, 0, { failures, retryAfterMs, random: 0 });

test('the next run is never before the interval, and at most a tenth after it', () => {
  expect(nextRunMs(hourly, 0, 0)).toBe(HOUR);
  expect(nextRunMs(hourly, 0, 1)).toBe(HOUR + 360_000);
  expect(nextRunMs({ pollS: 60, minIntervalS: 3_600 }, 0, 0)).toBe(HOUR);
});

test('failures double the pause up to four intervals', () => {
  const row = { pollS: 3_600, minIntervalS: 60 };
  expect([1, 2, 3, 4, 5, 6, 7, 100].map((failures) => retry(failures, null, row) / 60_000)).toEqual([
    5, 10, 20, 40, 80, 160, 240, 240,
  ]);
});

test('failures never make requests more frequent than the publisher allows', () => {
  expect(retry(1)).toBe(1_800_000);
  expect(retry(1, null, { pollS: 3_600, minIntervalS: 86_400 })).toBe(86_400_000);
});

test('the publisher’s Retry-After is honoured, up to a week', () => {
  expect(retry(1, 2 * HOUR)).toBe(2 * HOUR);
  expect(retry(1, 1_000)).toBe(1_800_000);
  expect(retry(1, 365 * 86_400_000)).toBe(7 * 86_400_000);
});

test('a new deployment fetches the first source at once and the last of 300 within ten minutes', () => {
  expect(firstRunMs(1_000, 0, 300)).toBe(1_000);
  expect(firstRunMs(0, 299, 300)).toBeLessThan(600_000);
  expect(firstRunMs(0, 1, 300)).toBe(2_000);
  expect(firstRunMs(0, 1, 2)).toBe(5_000);
});
