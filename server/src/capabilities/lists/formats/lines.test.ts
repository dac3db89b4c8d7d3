import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINE_CHARS_MAX } from './format.ts';
import { lineParser } from './lines.ts';

function linesOf(pieces: readonly string[]): { readonly lines: string[]; readonly tooLong: string[] } {
  const lines: string[] = [];
  const tooLong: string[] = [];
  const parser = lineParser(
    (line) => lines.push(line),
    (start) => tooLong.push(start),
  );
  for (const piece of pieces) parser.write(piece);
  parser.end();
  return { lines, tooLong };
}

describe('a text becomes its lines', () => {
  test.each([
    [[''], []],
    [['a'], ['a']],
    [['a\nb'], ['a', 'b']],
    [['a\nb\n'], ['a', 'b']],
    [['a\r\nb\r\n'], ['a', 'b']],
    [['a\rb\r'], ['a', 'b']],
    [['a\r\r\nb'], ['a', '', 'b']],
    [['a\n\nb'], ['a', '', 'b']],
    [['a\n\rb'], ['a', '', 'b']],
    [
      ['a\r', '\nb'],
      ['a', 'b'],
    ],
    [
      ['a\r', '', '\nb'],
      ['a', 'b'],
    ],
    [
      ['a\r', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'b', '\n', 'c'],
      ['ab', 'c'],
    ],
    [['\ufeffa\nb'], ['a', 'b']],
    [['\ufeff', 'a'], ['a']],
    [['a\n\ufeffb'], ['a', '\ufeffb']],
    [['\ud83d', '\udca9.la\n'], ['\ud83d\udca9.la']],
  ])('%j is %j', (pieces, lines) => {
    expect(linesOf(pieces)).toEqual({ lines, tooLong: [] });
  });

  test('wherever it is cut into pieces', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\ufeff', 'bc') });
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 8 }), (whole, cuts) => {
        expect(linesOf(cutAt(whole, cuts))).toEqual(linesOf([whole]));
      }),
    );
  });

  test('and a member of an archive starts a new one', () => {
    const lines: string[] = [];
    const parser = lineParser((line) => lines.push(line));
    parser.member('a.txt');
    parser.write('one\ntwo');
    parser.member('b.txt');
    parser.write('\ufeffthree');
    parser.end();
    expect(lines).toEqual(['one', 'two', 'three']);
  });
});

describe('a line that is too long', () => {
  const long = 'x'.repeat(LINE_CHARS_MAX + 1);

  test.each([
    ['in one piece', [`a\n${long}\nb`]],
    ['in many pieces', ['a\n', ...long.split(''), '\nb']],
    ['ended by CR', [`a\r${long}\rb`]],
    ['far too long', [`a\n${long}`, ...Array.from({ length: 50 }, () => long), '\r', '\nb\n']],
  ])('is reported once and skipped: %s', (_, pieces) => {
    expect(linesOf(pieces)).toEqual({ lines: ['a', 'b'], tooLong: ['x'.repeat(200)] });
  });

  test('at the end of the text is reported as well', () => {
    expect(linesOf([long])).toEqual({ lines: [], tooLong: ['x'.repeat(200)] });
  });

  test('is longer than the limit: a line of exactly that length is one', () => {
    const fits = 'x'.repeat(LINE_CHARS_MAX);
    expect(linesOf([`${fits}\r\n`])).toEqual({ lines: [fits], tooLong: [] });
  });
});

function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
  return [...places, text.length].map((end, i) => text.slice(i === 0 ? 0 : places[i - 1], end));
}
