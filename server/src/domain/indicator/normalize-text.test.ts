import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { normalizeText } from './normalize-text.ts';

test.each([
  ['  a  ', 'a'],
  ['ａ', 'a'],
  ['a\u200b\u200c\u200d\u2060\ufeffb', 'ab'],
  ['\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061ca', 'a'],
  ['a\u00adb', 'ab'],
  ['a\ufe0fb', 'ab'],
  ['a\u{e0061}b', 'ab'],
  ['e\u200b\u0301', '\u00e9'],
  ['\u00a0a\u2003', 'a'],
])('%j becomes %j', (raw, expected) => {
  expect(normalizeText(raw)).toBe(expected);
});

test('doing it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (raw) => {
      const once = normalizeText(raw);
      expect(normalizeText(once)).toBe(once);
    }),
    { numRuns: bySize(200, 1_000) },
  );
});
