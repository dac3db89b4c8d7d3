import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableLabel } from './punycode.ts';

test.each([
  ['xn--mnchen-3ya', 'münchen'],
  ['xn--pple-43d', 'аpple'],
  ['xn--r8jz45g', '例え'],
  ['xn--ls8h', '💩'],
  ['xn--e1afmkfd', 'пример'],
  ['paypal', 'paypal'],
  ['xn--a', 'xn--a'],
  ['xn--99999999999999999999999999999999999999999999999999999999999', null],
  ['xn---', null],
])('%s is read as %s', (label, expected) => {
  expect(readableLabel(label)).toBe(expected ?? label);
});

test('labels encoded by the URL parser are read back', () => {
  const letters = fc.constantFrom(...Array.from('aéßжиαβ例ñşłöñ-k09'));
  fc.assert(
    fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 20 }), (text) => {
      const label = new URL(`http://x${text}x.example`).hostname.split('.')[0] ?? '';
      expect(readableLabel(label)).toBe(`x${text}x`.normalize('NFC'));
    }),
  );
});

test('no text makes it fail, and invalid Punycode is returned unchanged', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 63 }), (text) => {
      expect(typeof readableLabel(`xn--${text}`)).toBe('string');
      if (!text.startsWith('xn--')) expect(readableLabel(text)).toBe(text);
    }),
  );
});
