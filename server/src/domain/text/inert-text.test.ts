import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINEAR_TIMES_MAX, timesTheWork } from '#test/growth.ts';
import { inertText } from './inert-text.ts';

/** Includes lone surrogates, and invisible characters more often than chance. */
const ANY = fc.oneof(
  fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom(
    '\u200b',
    '\ud83d',
    '\ude00',
    ' ',
    '\n',
    '\u0085',
    '\ufeff',
    '\u202e',
    '\u{e0041}',
    '\u00a0',
    'a',
  ),
);

describe('inertText', () => {
  test.each([
    ['plain text stays', 'Example Registrar, Inc.', 'Example Registrar, Inc.'],
    ['letters of every script stay', 'Пример 株式会社 مثال', 'Пример 株式会社 مثال'],
    ['controls go', 'a\u0000b\u001b[31mc\u007fd\u009be', 'ab[31mcde'],
    ['bidirectional controls go', '\u202egnp.exe\u202c\u2066x\u2069\u200e\u061c', 'gnp.exex'],
    ['zero-width characters go', 'pay\u200bpal\u200d\u2060\ufeff', 'paypal'],
    ['tag characters go', 'a\u{e0041}\u{e007f}b', 'ab'],
    ['half a character goes', 'a\ud83db\ude00c', 'abc'],
    ['a whole one stays', 'a\u{1f600}b', 'a\u{1f600}b'],
    ['blanks of every kind are one space', ' a\r\n\tb\u0085c\u2028d\u00a0\u3000e ', 'a b c d e'],
    ['markup is text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('%s', (_, given, wanted) => {
    expect(inertText(given, 100)).toBe(wanted);
  });

  test.each([[''], ['  \u200b\n'], [null], [undefined], [7], [{}], [['a']], [Object.create(null)]])(
    'nothing readable in %j is null',
    (given) => {
      expect(inertText(given, 100)).toBeNull();
    },
  );

  test('it is cut at the limit and never through a character', () => {
    expect(inertText('abcdef', 3)).toBe('abc');
    expect(inertText('ab\u{1f600}', 3)).toBe('ab');
    expect(inertText('ab \u{1f600}', 4)).toBe('ab');
    expect(inertText('\u{1f600}', 1)).toBeNull();
    expect(inertText('a', 0)).toBeNull();
  });

  test('the result for any text is short, well-formed, one line and stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY, maxLength: 100 }), fc.integer({ min: 1, max: 60 }), (text, max) => {
        const inert = inertText(text, max);
        if (inert === null) return;
        expect(inert.length).toBeLessThanOrEqual(max);
        expect(inert.isWellFormed()).toBe(true);
        expect(inert).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(inertText(inert, max)).toBe(inert);
      }),
    );
  });

  test('ten megabytes cost no more than the part that is kept', () => {
    const [one, ten] = ['\u200b'.repeat(1_000_000), '\u200b'.repeat(10_000_000)];
    expect(inertText(ten, 256)).toBeNull();
    const times = timesTheWork(
      () => inertText(one, 256),
      () => inertText(ten, 256),
    );
    expect(times).toBeLessThan(LINEAR_TIMES_MAX);
  });
});
