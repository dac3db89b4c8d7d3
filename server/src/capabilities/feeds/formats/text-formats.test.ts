import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

/** Pieces of all the formats, so that random text has something of theirs. */
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
  test('reads any text without throwing, and says of each piece what it is', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const told = readText(openText, [whole]);
        for (const entry of told.entries) {
          expect(entry.text.length).toBeLessThanOrEqual(LINE_CHARS_MAX + 'http://'.length);
          expect(entry.text).not.toMatch(/[\r\n]/);
        }
        for (const [reason] of [...told.unsupported, ...told.rejected]) expect(REASONS).toContain(reason);
      }),
      { numRuns: 300 },
    );
  });

  test('reads the same wherever the text is cut', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, size) => {
        const pieces: string[] = [];
        for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
        expect(readText(openText, pieces)).toEqual(readText(openText, [whole]));
      }),
      { numRuns: 150 },
    );
  });

  test('reads hostile text in time that grows with its length alone', { timeout: 120_000 }, () => {
    for (const pattern of HOSTILE) {
      const whole = pattern.repeat(Math.ceil(HOSTILE_CHARS / pattern.length));
      const lines = whole.match(/.{1,8000}/gs) ?? [];
      // Blanks at the ends of a line are trimmed before anything looks at it.
      const texts = [whole, lines.join('\n'), `a${lines.join('a\na')}a`, whole.replaceAll(' ', '\n')];
      for (const hostile of texts) {
        // Processor time: the machine that runs the tests may be busy with others.
        const start = process.cpuUsage();
        readText(openText, [hostile]);
        const { user, system } = process.cpuUsage(start);
        expect((user + system) / 1_000, `${name}: ${JSON.stringify(pattern)}`).toBeLessThan(HOSTILE_MS_MAX);
      }
    }
  });
});

/**
 * A megabyte takes 0.1 s at most on an idle machine; an expression that goes back and forth over lines of 8,000
 * characters takes seconds for a third of it.
 */
const HOSTILE_CHARS = 300_000;
const HOSTILE_MS_MAX = 500;
/** Patterns on which a careless expression goes back and forth. */
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
