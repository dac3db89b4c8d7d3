import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LETTER_READ_AS } from './confusables.ts';
import { skeletonOf } from './skeleton.ts';

test.each([
  ['paypal', 'paypa1'],
  ['paypal', 'pаypаl'],
  ['microsoft', 'rnicrosoft'],
  ['google', 'g00gle'],
  ['twitter', 'tvvitter'],
  ['apple', 'аррӏе'],
  ['facebook', 'fаcebοοk'],
  ['cloud', 'doud'],
  ['netflix', 'nétflïx'],
  ['apple', 'xn--80ak6aa92e'],
])('%s and %s are read alike', (meant, written) => {
  expect(skeletonOf(written)).toBe(skeletonOf(meant));
});

test.each([
  ['paypal', 'paypol'],
  ['amazon', 'amazom'],
  ['chase', 'chose'],
])('%s and %s are not read alike', (meant, written) => {
  expect(skeletonOf(written)).not.toBe(skeletonOf(meant));
});

test('every entry of the table leads to a letter that is its own skeleton', () => {
  for (const letter of LETTER_READ_AS.values()) expect(LETTER_READ_AS.has(letter)).toBe(false);
});

test('the skeleton of a skeleton is the same; hyphens are kept and no dot is added', () => {
  const letters = fc.oneof(
    fc.constantFrom(...Array.from('rnvclm1i0-éжаο')),
    fc.string({ minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 30 }), (text) => {
      fc.pre(!text.includes('.') && !text.startsWith('xn--'));
      const skeleton = skeletonOf(text);
      fc.pre(!skeleton.startsWith('xn--'));
      expect(skeletonOf(skeleton)).toBe(skeleton);
      expect(skeleton.split('-').length).toBe(text.normalize('NFKD').split('-').length);
      expect(skeleton).not.toContain('.');
    }),
  );
});
