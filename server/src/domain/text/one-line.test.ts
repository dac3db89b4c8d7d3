import { expect, test } from 'vitest';
import { ONE_LINE } from './one-line.ts';

test('one line has no control character and no line break of any script', () => {
  const categories = /^[^\p{Cc}\u2028\u2029]*$/u;
  for (let point = 0; point < 0x3000; point += 1) {
    const text = `a${String.fromCodePoint(point)}b`;
    expect(ONE_LINE.test(text), point.toString(16)).toBe(categories.test(text));
  }
  expect(ONE_LINE.test('Laptop 🦊 größer')).toBe(true);
});
