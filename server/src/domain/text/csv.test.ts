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
    ['a line feed is quoted', 'a\nb', '"a\nb"'],
    ['a list is joined by semicolons', ['botnet', 'scanner'], 'botnet;scanner'],
    ['an empty list is an empty cell', [], ''],
    ['nothing is an empty cell', undefined, ''],
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
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
  ])('no cell of text is a formula: %j', (value, text) => {
    expect(cell(value)).toBe(`${text}\r\n`);
  });

  test('the first of a list is guarded as well', () => {
    expect(cell(['=cmd', 'x'])).toBe("'=cmd;x\r\n");
  });
});
