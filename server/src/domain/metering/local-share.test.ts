import fc from 'fast-check';
import { expect, test } from 'vitest';
import { burstShare, monthShare } from './local-share.ts';

test('together the processes grant no more than the burst, or one call each where the burst is smaller', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 64 }), (limit, shares) => {
      expect(burstShare(limit, shares) * shares).toBeLessThanOrEqual(Math.max(limit, shares));
      expect(burstShare(limit, shares)).toBeGreaterThanOrEqual(1);
    }),
  );
});

test('together the processes grant no more than the rest of the month, or one unit each', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(12_000), fc.integer({ min: 1, max: 64 }), (limit, used, shares) => {
      const left = Math.max(0, limit - used);
      expect(monthShare(limit, used, shares) * shares).toBeLessThanOrEqual(
        left === 0 ? 0 : Math.max(left, shares),
      );
    }),
  );
});

test('a spent month has no share at all', () => {
  expect(monthShare(500, 500, 4)).toBe(0);
  expect(monthShare(500, 501, 1)).toBe(0);
});
