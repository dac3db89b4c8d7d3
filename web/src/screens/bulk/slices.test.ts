import { describe, expect, test } from 'vitest';
import { slicesOf } from './slices.ts';

describe('the pieces of a text', () => {
  test.each([
    ['lines', 'one line\n'.repeat(500)],
    ['one long line', 'word '.repeat(1_000)],
    ['JSON without a blank', `[${'"198.51.100.1",'.repeat(500)}]`],
    ['nothing to cut at', 'x'.repeat(5_000)],
    ['nothing', ''],
  ])('are the text again: %s', (_what, text) => {
    expect([...slicesOf(text, 100)].join('')).toBe(text);
  });

  test('end with a line where one is near', () => {
    for (const slice of slicesOf('Nov 15 from 192.0.2.1 port 22\n'.repeat(50), 100))
      expect(slice.endsWith('\n')).toBe(true);
  });

  test('never cut a word, a quoted value or a URL', () => {
    const text = Array.from({ length: 300 }, (_, n) => `"https://example.com/a,b;${n}"`).join(',');
    for (const slice of slicesOf(text, 64)) expect(slice.split('"').length).toBeGreaterThan(1);
    const urls = [...slicesOf(text, 64)].flatMap((slice) => slice.match(/https:[^"]*/g) ?? []);
    expect(urls).toEqual(text.match(/https:[^"]*/g));
  });

  test('are few: each has about the size asked for', () => {
    expect([...slicesOf('word '.repeat(1_000), 500)]).toHaveLength(10);
  });
});
