import { describe, expect, test } from 'vitest';
import { requestIds } from './request-id.ts';

const at = (nowMs: () => number) => requestIds({ now: nowMs, monotonic: () => 0 });

describe('request ids', () => {
  test('have the form of every other id: a prefix and a ULID', () => {
    expect(at(() => 1_763_000_000_000)()).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test('are unique within a process, between processes, and sort by time', () => {
    let nowMs = 1_763_000_000_000;
    const one = at(() => nowMs);
    const other = at(() => nowMs);
    const ids = Array.from({ length: 20_000 }, (_, i) => {
      if (i % 1_000 === 0) nowMs += 1;
      return [one(), other()];
    }).flat();
    expect(new Set(ids).size).toBe(ids.length);
    const times = ids.map((id) => id.slice(0, 14));
    expect(times).toEqual([...times].sort());
  });

  test('the time is the first ten characters, as in any ULID', () => {
    expect(at(() => 0)().slice(4, 14)).toBe('0000000000');
    expect(at(() => 31)().slice(4, 14)).toBe('000000000Z');
  });
});
