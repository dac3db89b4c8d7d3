import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINEAR_TIMES_MAX, timesInPieces, timesTheWork } from '#test/growth.ts';
import { bySize } from '#test/lane.ts';
import { LINE_CHARS_MAX } from './format.ts';
import { LINE_TOO_LONG } from './lines.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { type OpenText, readText, TEXT_FORMATS } from './text-formats.fixture.ts';

const FORMATS = Object.entries<OpenText>(TEXT_FORMATS);
const REASONS: ReadonlySet<string> = new Set([
  LINE_TOO_LONG,
  ...Object.values(UNSUPPORTED),
  ...Object.values(REJECTED),
]);
const CORPUS = new URL('./fuzz-corpus/text/', import.meta.url);

/** Pieces of all formats, so that random text resembles them. */
const SYMBOLS = `, ; " "" ' # ## ! // /* */ / | || ^ $ $all @@ * *. *:// [ ] [.] ( ) { } : = \\ \u2026`.split(
  ' ',
);
const WORDS =
  'evil.com 1.2.3.4 2001:db8::1 address=/ local-zone: zone CNAME $ORIGIN SOA .rpz-ip tls.sni; content:" |2e| hxxp'.split(
    ' ',
  );
const BLANKS = ['\n', '\r', '\r\n', '\t', ' ', '\ufeff', '\u2028'];
const PHRASES = [
  '0.0.0.0 ',
  ' CNAME .',
  '@ IN SOA a. b. (',
  'alert tls any any -> any any (',
  'a,b,c,host,path,type\n',
  '# ip, b\n',
  '---\n',
  '# Updated: 2026-08-22\n',
  'a'.repeat(32),
  'x'.repeat(5_000),
];
const token = fc.constantFrom(...SYMBOLS, ...WORDS, ...BLANKS, ...BLANKS, ...PHRASES);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

describe.each(FORMATS)('%s', (name, openText) => {
  test('reads any text without throwing, and classifies each piece', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const told = readText(openText, [whole]);
        for (const entry of told.entries) {
          expect(entry.text.length).toBeLessThanOrEqual(LINE_CHARS_MAX + 'http://'.length);
          expect(entry.text).not.toMatch(/[\r\n]/);
        }
        for (const [reason] of [...told.unsupported, ...told.rejected]) expect(REASONS).toContain(reason);
      }),
      { numRuns: bySize(60, 300) },
    );
  });

  test('reads the same wherever the text is cut', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, size) => {
        const pieces: string[] = [];
        for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
        expect(readText(openText, pieces)).toEqual(readText(openText, [whole]));
      }),
      { numRuns: bySize(40, 150) },
    );
  });

  test('reads hostile text in time linear in its length', { timeout: 120_000 }, () => {
    const read = (text: string) => readText(openText, [text]);
    for (const pattern of HOSTILE) {
      const whole = pattern.repeat(Math.ceil(HOSTILE_CHARS / pattern.length));
      const said = `${name}: ${JSON.stringify(pattern)}`;
      const inShortLines = hostileTexts(whole, LINE_CHARS / 8);
      for (const [index, hostile] of hostileTexts(whole, LINE_CHARS).entries()) {
        const short = inShortLines[index] as string;
        const times = timesTheWork(
          () => read(short),
          () => read(hostile),
        );
        expect(times, said).toBeLessThan(LINEAR_TIMES_MAX);
      }
      for (const text of [whole, whole.replaceAll(' ', '\n')]) {
        const times = timesInPieces(read, (length) => text.slice(0, length), HOSTILE_CHARS);
        expect(times, `${said}, not cut`).toBeLessThan(LINEAR_TIMES_MAX);
      }
    }
  });
});

/** The longest lines that are parsed; for a linear expression, longer lines cost the same in total. */
const LINE_CHARS = 8_000;
/** A quadratic expression takes 30 ms for such a line, a linear one less than 1 ms. */
const HOSTILE_CHARS = bySize(6, 38) * LINE_CHARS;

/** The same characters in lines of a given length, in forms that reach different expressions. */
function hostileTexts(whole: string, lineChars: number): readonly string[] {
  const lines = whole.match(new RegExp(`.{1,${lineChars}}`, 'gs')) ?? [];
  // The second form has a letter at both ends, because blanks there would be trimmed before the parser sees them.
  return [lines.join('\n'), `a${lines.join('a\na')}a`];
}

/** Patterns that make a careless expression backtrack. */
const HOSTILE = [
  'x',
  ' ',
  '\t ',
  '.',
  'a.',
  '-',
  '1',
  '1s',
  '0x',
  ':',
  '/',
  '//',
  '#',
  ' #',
  ' #\u2028',
  '##',
  '!',
  '![',
  '! ',
  '|',
  '||',
  '^',
  '$',
  '$a,',
  '$a=',
  ',',
  ', ',
  ';',
  '"',
  '""',
  '"a',
  'a",c,"',
  'a",c," ',
  "'",
  '(',
  '()',
  '[',
  '[]',
  "['",
  '{',
  '};',
  '*',
  '*.',
  '*/',
  '/*',
  '\\',
  '\\"',
  '=',
  '<',
  '|2e',
  '|2e|',
  'a@',
  'hxxp',
  'hxxp:',
  'hxxp[:]//',
  '[.]',
  'a[.]',
  'address=/',
  'zone "',
  'zone "a" {',
  'local-zone: "',
  '$ORIGIN a ',
  '@ SOA (',
  'content:"a";',
  'malware_family ',
  'as ',
  '\u2026',
  '\u00e4',
  '\ud83d',
];

describe('the corpus', () => {
  const files = readdirSync(CORPUS);

  test.each(files)('%s is read by every format', (file) => {
    const whole = readFileSync(new URL(file, CORPUS), 'utf8');
    for (const [, openText] of FORMATS) {
      const told = readText(openText, [whole]);
      expect(readText(openText, Array.from(whole))).toEqual(told);
    }
  });
});
