import { describe, expect, test } from 'vitest';
import { duration } from './duration.ts';
import { plural } from './plural.ts';
import { midnight, retryTime } from './retry-time.ts';

const S = 1_000;
const MINUTE = 60 * S;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.UTC(2026, 10, 20);

describe('counts and times in sentences', () => {
  test.each([
    [0, '0 requests'],
    [1, '1 request'],
    [2, '2 requests'],
    [1_000_000, '1,000,000 requests'],
  ])('%i', (count, text) => expect(plural(count, 'request')).toBe(text));

  test('an irregular plural is named', () => expect(plural(3, 'try', 'tries')).toBe('3 tries'));

  test.each([
    [0, '1 second'],
    [1, '1 second'],
    [45 * S, '45 seconds'],
    [45 * S + 1, '46 seconds'],
    [MINUTE, '1 minute'],
    [61 * S, '1 minute 1 second'],
    [HOUR - 1, '1 hour'],
    [2 * HOUR - 20 * S, '2 hours'],
    [73_582 * S, '20 hours 26 minutes'],
    [DAY - 20 * S, '1 day'],
    [DAY + 90 * MINUTE, '1 day 2 hours'],
    [30 * DAY, '30 days'],
  ])('%i ms', (ms, text) => expect(duration(ms)).toBe(text));

  test('a limit of a day or a month names its midnight, another one the time to wait', () => {
    expect(retryTime({ waitMs: 20 * HOUR, resetMs: MIDNIGHT })).toBe('tomorrow at 00:00 UTC');
    expect(retryTime({ waitMs: 5 * DAY, resetMs: MIDNIGHT })).toBe('on 2026-11-20 at 00:00 UTC');
    expect(retryTime({ waitMs: 90 * S, resetMs: MIDNIGHT })).toBe('in 1 minute 30 seconds');
    expect(retryTime({ waitMs: 2 * HOUR, resetMs: MIDNIGHT + 1 })).toBe('in 2 hours');
    expect(midnight(MIDNIGHT, MIDNIGHT - 1)).toBe('tomorrow at 00:00 UTC');
  });
});
