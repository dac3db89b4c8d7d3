import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { slipBetween, slipsOf } from './slip.ts';

test.each([
  ['paypal', 'paypla', 'transposition'],
  ['paypal', 'papal', 'omission'],
  ['paypal', 'paypall', 'repetition'],
  ['paypal', 'paypxal', 'insertion'],
  ['paypal', 'paypak', 'adjacentKey'],
  ['paypal', 'paypam', 'bitFlip'],
  ['paypal', 'paypaz', 'substitution'],
  ['paypal', 'pay-pal', 'insertion'],
  ['paypal', 'paypal', null],
  ['paypal', 'payapl', 'transposition'],
  ['paypal', 'yappal', null],
  ['paypal', 'palpay', null],
  ['paypal', 'pypl', null],
])('%s written %s is %s', (meant, written, expected) => {
  expect(slipBetween(meant, written)).toBe(expected);
});

const label = fc.string({ unit: fc.constantFrom(...Array.from('abclmn0-')), minLength: 1, maxLength: 10 });

test('slipsOf generates exactly the labels that are one typing error away', () => {
  fc.assert(
    fc.property(label, label, (meant, other) => {
      const slips = slipsOf(meant);
      expect(slips.has(other)).toBe(slipBetween(meant, other) !== null);
    }),
    { numRuns: bySize(100, 500) },
  );
  for (const slip of slipsOf('paypal')) expect(slipBetween('paypal', slip), slip).not.toBeNull();
});

test('a typing error is symmetric', () => {
  fc.assert(
    fc.property(label, label, (one, other) => {
      expect(slipBetween(one, other) === null).toBe(slipBetween(other, one) === null);
    }),
  );
});
