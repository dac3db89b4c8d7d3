import { expect, test } from 'vitest';
import { isoOf, isoOfSeconds } from './iso-time.ts';

test('times are RFC 3339 in UTC with milliseconds, in any order of calls', () => {
  const [noon, later] = [Date.UTC(2026, 7, 22, 12), Date.UTC(2026, 7, 22, 12, 0, 0, 7)];
  for (const [ms, text] of [
    [noon, '2026-08-22T12:00:00.000Z'],
    [later, '2026-08-22T12:00:00.007Z'],
    [later, '2026-08-22T12:00:00.007Z'],
    [noon, '2026-08-22T12:00:00.000Z'],
  ] as const)
    expect(isoOf(ms)).toBe(text);
});

test('the cache of past times is bounded and stays correct', () => {
  const start = Date.UTC(2026, 0, 1) / 1_000;
  for (let second = start; second < start + 25_000; second += 1)
    if (isoOfSeconds(second) !== new Date(second * 1_000).toISOString()) throw new Error(String(second));
  expect(isoOfSeconds(start)).toBe('2026-01-01T00:00:00.000Z');
});
