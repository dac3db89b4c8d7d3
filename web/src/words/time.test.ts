import { describe, expect, test } from 'vitest';
import { duration, relativeTime } from './time.ts';

describe('time in words', () => {
  test.each([
    [400, '1 s'],
    [42_100, '43 s'],
    [80_000, '2 min'],
    [3_600_000, '1 h'],
    [3_700_000, '2 h'],
  ])('a wait of %d ms is never rounded down: %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  test.each([
    [1_000, 'just now'],
    [119_000, '1 min ago'],
    [7_000_000, '1 h ago'],
    [3 * 86_400_000, '3 d ago'],
    [90 * 86_400_000, '2026-08-17'],
  ])('a time %d ms ago is never rounded up: %s', (ms, words) => {
    const nowMs = Date.parse('2026-11-15T12:00:00Z');
    expect(relativeTime(nowMs - ms, nowMs)).toBe(words);
  });
});
