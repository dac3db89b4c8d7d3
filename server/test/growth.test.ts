import { describe, expect, test } from 'vitest';
import { isQuick, LINEAR_TIMES_MAX, timesInPieces } from '#test/growth.ts';

const LENGTH = 8_000;
const letters = (length: number) => 'a'.repeat(length);
/** Scans from each letter to the end of the text, because the `!` never comes. */
const quadratic = (text: string) => /a+!/.test(text);
/** Linear, with about the work of the quadratic one for 8,000 letters. */
const linear = (text: string) => {
  let sum = 0;
  for (let round = 0; round < 12_000; round += 1)
    for (let at = 0; at < text.length; at += 1) sum = (sum + text.charCodeAt(at) * round) | 0;
  return sum;
};

describe('detection of quadratic work', () => {
  test('a backtracking expression is detected', () => {
    expect(timesInPieces(quadratic, letters, LENGTH)).toBeGreaterThan(LINEAR_TIMES_MAX);
    expect(isQuick(() => quadratic(letters(LENGTH)))).toBe(false);
  });

  test('linear work is not reported, however much it is', () => {
    const times = timesInPieces(linear, letters, LENGTH);
    expect(times).toBeGreaterThan(0);
    expect(times).toBeLessThan(LINEAR_TIMES_MAX);
  });

  test('work of too little CPU time to compare counts as quick', () => {
    expect(timesInPieces((text) => text.length, letters, LENGTH)).toBe(0);
    expect(isQuick(() => letters(10))).toBe(true);
  });
});
