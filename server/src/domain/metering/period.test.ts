import { expect, test } from 'vitest';
import { isWithin, periodOf } from './period.ts';

test.each([
  ['2026-11-15T12:00:00.000Z', '202611', '2026-12-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '202612', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T00:00:00.000Z', '202701', '2027-02-01T00:00:00.000Z'],
  ['2028-02-29T23:59:59.999Z', '202802', '2028-03-01T00:00:00.000Z'],
])('%s belongs to %s, which ends at %s', (now, name, end) => {
  const period = periodOf(Date.parse(now));
  expect(period.name).toBe(name);
  expect(new Date(period.endMs).toISOString()).toBe(end);
  expect(isWithin(period, Date.parse(now))).toBe(true);
});

test('the last millisecond of a month is in it, the next one is not', () => {
  const december = periodOf(Date.UTC(2026, 11, 31));
  expect(isWithin(december, december.endMs - 1)).toBe(true);
  expect(isWithin(december, december.endMs)).toBe(false);
  expect(periodOf(december.endMs).startMs).toBe(december.endMs);
});
