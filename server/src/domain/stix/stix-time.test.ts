import fc from 'fast-check';
import { expect, test } from 'vitest';
import { microsOf, stixTime, stixTimeOfMicros } from './stix-time.ts';

const MICROS = fc.integer({ min: 0, max: 4_102_444_800_000_000 });

test('six digits, and every time is read back to the microsecond (O10)', () => {
  fc.assert(
    fc.property(MICROS, (micros) => {
      const text = stixTimeOfMicros(micros);
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      expect(microsOf(text)).toBe(micros);
      expect(stixTime(micros / 1_000)).toBe(text);
    }),
  );
});

test.each([
  ['2026-11-01T06:00:00Z', 1_793_512_800_000_000],
  ['2026-11-01T06:00:00.1234567Z', 1_793_512_800_123_456],
  ['2026-11-01T07:00:00+01:00', 1_793_512_800_000_000],
  ['2026-11-01T07:00:00 01:00', 1_793_512_800_000_000],
  ['2026-11-01t06:00:00z', 1_793_512_800_000_000],
  ['2026-11-01T06:00', 1_793_512_800_000_000],
  ['2026-11-01', 1_793_491_200_000_000],
])('%s is read', (text, micros) => {
  expect(microsOf(text)).toBe(micros);
});

test.each([
  '',
  'yesterday',
  '2026-13-01',
  '2026-11-01T25:00:00Z',
  '1793512800',
  '2026-11-01T06:00:00Z; drop',
])('%s is no time', (text) => {
  expect(microsOf(text)).toBeNull();
});
