import { describe, expect, test } from 'vitest';
import { type CsvCell, csvOf } from './csv.ts';

const cell = (value: CsvCell): string => csvOf([], [[value]]).replace(/^\r\n/, '');

describe('a CSV file', () => {
  test('has a header, CR LF after every line, and a last line that ends', () => {
    expect(csvOf(['a', 'b'], [['1', 2]])).toBe('a,b\r\n1,2\r\n');
  });

  test.each<[string, CsvCell, string]>([
    ['plain text stands as it is', 'evil.example', 'evil.example'],
    ['a comma is quoted', 'a,b', '"a,b"'],
    ['a quote is doubled', 'say "hi"', '"say ""hi"""'],
    ['a semicolon is quoted', 'a;b', '"a;b"'],
    ['a tab is quoted', 'a\tb', '"a\tb"'],
    ['a line feed is a blank', 'a\nb', 'a b'],
    ['line ends of other systems are blanks', 'a\r\nb\rc\u2028d\u0085e', 'a b c d e'],
    ['a list is joined by semicolons', ['botnet', 'scanner'], '"botnet;scanner"'],
    ['a list of one stands as it is', ['botnet'], 'botnet'],
    ['a semicolon in an item does not make two items', ['a;b', 'c'], '"a,b;c"'],
    ['an empty list is an empty cell', [], ''],
    ['undefined is an empty cell', undefined, ''],
    ['null is an empty cell', null, ''],
    ['a negative number stays a number', -1, '-1'],
    ['a boolean is a word', false, 'false'],
  ])('%s', (_promise, value, text) => {
    expect(cell(value)).toBe(`${text}\r\n`);
  });

  test.each([
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', "' =1"],
    ['\uff1dSUM(A1)', "'\uff1dSUM(A1)"],
    ['a;=cmd', `"a;'=cmd"`],
    ['a\t@cmd', `"a\t'@cmd"`],
    ['a";=cmd|"x', `"a"";'=cmd|""x"`],
  ])('no cell of text is a formula: %j', (value, text) => {
    expect(cell(value)).toBe(`${text}\r\n`);
  });

  test('every item of a list is guarded', () => {
    expect(cell(['=cmd', 'x', '+1'])).toBe(`"'=cmd;x;'+1"\r\n`);
  });

  test('one row is one line, however hostile its cells', () => {
    const hostile = '\r\n=1;\n"\v,\f\u2028x\u2029\u0085';
    const row = csvOf([], [[hostile, [hostile, hostile], 1]]).replace(/^\r\n/, '');
    expect(row.endsWith('\r\n')).toBe(true);
    expect(row.slice(0, -2)).not.toMatch(/[\n\v\f\r\u0085\u2028\u2029]/);
  });
});
