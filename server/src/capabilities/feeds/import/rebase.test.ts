import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rebaseConstantMs, wholeDays } from './rebase.ts';

const DAY_MS = 86_400_000;
const day = (text: string) => Date.parse(text);

describe('the constant of --rebase', () => {
  test('brings the newest day to today and moves the others by the same whole days', () => {
    const dates = [day('2021-07-18'), day('2026-08-23'), day('2026-03-16')];
    const constant = rebaseConstantMs(dates, Date.parse('2026-10-02T23:59:59Z'));
    expect(wholeDays(constant)).toBe(40);
    expect(new Date((dates[1] ?? 0) + constant).toISOString()).toBe('2026-10-02T00:00:00.000Z');
    expect(new Date((dates[2] ?? 0) + constant).toISOString()).toBe('2026-04-25T00:00:00.000Z');
  });

  test('is the same all day long, so a second import of the day changes nothing', () => {
    const at = (time: string) => rebaseConstantMs([day('2026-08-23')], Date.parse(`2026-09-01T${time}Z`));
    expect(at('00:00:00')).toBe(at('23:59:59'));
  });

  test('never moves a date back, and is 0 without dates', () => {
    expect(rebaseConstantMs([day('2026-08-23')], Date.parse('2026-08-01T12:00:00Z'))).toBe(0);
    expect(rebaseConstantMs([], day('2026-08-23'))).toBe(0);
  });

  test('no moved date lies in the future, and the newest one lies on today', () => {
    const ms = fc.integer({ min: day('2015-01-01'), max: day('2030-01-01') });
    fc.assert(
      fc.property(fc.array(ms, { minLength: 1, maxLength: 50 }), ms, (times, nowMs) => {
        const dates = times.map((time) => Math.floor(Math.min(time, nowMs) / DAY_MS) * DAY_MS);
        const constant = rebaseConstantMs(dates, nowMs);
        const moved = dates.map((date) => date + constant);
        expect(constant % DAY_MS).toBe(0);
        expect(Math.max(...moved)).toBe(Math.floor(nowMs / DAY_MS) * DAY_MS);
      }),
    );
  });
});
