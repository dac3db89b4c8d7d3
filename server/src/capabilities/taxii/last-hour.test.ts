import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastHourOf } from './last-hour.ts';

test('the last hour is found exactly, whatever it is', () => {
  fc.assert(
    fc.property(fc.nat(500_000), fc.nat(20_000), fc.nat(20_000), (from, length, most) => {
      const last = Math.min(from + length, from + most);
      expect(lastHourOf((hour) => hour <= from + length, { from, most: from + most })).toBe(last);
    }),
  );
});

test('a year takes some thirty questions', () => {
  let asked = 0;
  lastHourOf(
    (hour) => {
      asked += 1;
      return hour < 7_000;
    },
    { from: 0, most: 8_760 },
  );
  expect(asked).toBeLessThan(32);
});
