import { describe, expect, test } from 'vitest';
import { LINEAR_TIMES_MAX, timesInPieces } from '#test/growth.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { extractIndicators } from './extract-indicators.ts';

const MEGABYTE = 1_048_576;
const MS_MAX = 1_000;
/** Long enough that a step with quadratic cost takes seconds. */
const GROWTH_CHARS = 131_072;

/** Repetitions of everything that a rule looks ahead for, and of what real texts contain most. */
const PUMPS = [
  `.${'a'.repeat(1_000)}_a `,
  `${'a.'.repeat(400)}_a `,
  `${'a@'.repeat(500)} `,
  `${'1.2.3.4-'.repeat(120)} `,

  'a',
  'A',
  '0',
  '1',
  'f',
  '.',
  '-',
  '_',
  ':',
  '::',
  '/',
  '\\',
  '@',
  '+',
  '%',
  '[',
  ']',
  '(',
  ')',
  '{',
  '<',
  '>',

  '"',
  "'",
  ',',
  ';',
  '|',
  '=',
  '&',
  '?',
  '#',
  '!',
  ' ',
  '\n',
  '\t',
  '\0',
  'ü',
  '\u200b',
  '\ud800',
  '。',
  'ﷺ',
  '“',

  'a.',
  '1.',
  '1.1.',
  'a-',
  '1:',
  'f:',
  'a@',
  '.@',
  '[.]',
  '[.',
  '.]',
  ' [.] ',
  '[dot]',
  '(at)',
  ' (at) ',
  '[:]',

  'a[.]',
  'a [.] ',
  '1[.]',
  '\\.',
  '\\/',
  '\\n',
  '%2e',
  '%2F',
  '%41',
  'xn--',
  'www.',
  '.com',
  'com.',
  '.zip',

  'http',
  'http:',
  'http://',
  'hxxp://',
  'hxxp[://]',
  'http://a',
  'http://a,',
  'http://a.com,',
  'http://a.com/,',

  'http://a.com/(',
  'http://a.com/)',
  "http://a.com/'",
  'http://a.com/a=1,b',
  'http://a.com;',
  ',http://',
  ',a=',

  '1.2.3.4 ',
  '1.2.3.4,',
  '1.2.3.4/',
  '1.2.3.4/24',
  '1.2.3.4/24 ',
  '1.2.3.4-',
  '999.1.1.1 ',
  '1.2.3.4.5 > ',

  '2001:db8::1 ',
  '::1 ',
  ':1',
  '1::',
  'evil.com ',
  'evil.com,',
  'evil.com\n',
  'a.pl ',
  'setup.py ',
  'a@b.com ',

  'evil[.]notatld ',
  'a'.repeat(250).concat('.com '),
  '0123456789abcdef',
  `${'ab'.repeat(32)} `,
  `${'ab'.repeat(16)}.`,

  `${'a.'.repeat(500)} `,
  `${'a[.]'.repeat(250)} `,
  `http://${'a'.repeat(2_000)} `,
  `http://a.com/${'%2'.repeat(1_000)} `,

  `http://${'a.'.repeat(1_000)}com/ `,
  `http://${'[.]'.repeat(600)} `,
  `(${'a.b-'.repeat(200)})`,
  `${'ü.'.repeat(400)} `,
];

/** Every value is different, so that the parser's memory cannot help. */
const DISTINCT: Readonly<Record<string, (n: number) => string>> = {
  'IPv6 addresses': (n) => `::${(n % 65_536).toString(16)}:${(n >>> 16).toString(16)} `,
  domains: (n) => `${n.toString(36)}.com\n`,
  'file names': (n) => `${n.toString(36)}.pl `,
  URLs: (n) => `http://${n.toString(36)}.com/,`,
  'broken URLs': (n) => `,http://${n.toString(36)}`,
};

const distinctText = (make: (n: number) => string, length: number): string => {
  let text = '';
  for (let n = 0; text.length < length; n++) text += make(n);
  return text;
};
const pumped = (pump: string, length: number): string =>
  pump.repeat(Math.ceil(length / pump.length)).slice(0, length);

test.each(Object.entries(DISTINCT))(
  'the work for different %s grows with the length of the text alone',
  (_name, make) => {
    const times = timesInPieces(extractIndicators, (length) => distinctText(make, length), GROWTH_CHARS);
    expect(times).toBeLessThan(LINEAR_TIMES_MAX);
  },
);

test.each(PUMPS)('the work for %j repeated grows with the length of the text alone', (pump) => {
  const times = timesInPieces(extractIndicators, (length) => pumped(pump, length), GROWTH_CHARS);
  expect(times).toBeLessThan(LINEAR_TIMES_MAX);
});

describe.runIf(IS_FULL_SIZE)('in seconds', () => {
  test.each(Object.entries(DISTINCT))(
    'a megabyte of different %s takes less than a second',
    (_name, make) => {
      const text = distinctText(make, MEGABYTE);
      expect(fastestOf(() => extractIndicators(text))).toBeLessThan(MS_MAX);
    },
  );

  test.each(PUMPS)('a megabyte of %j takes less than a second', (pump) => {
    const text = pumped(pump, MEGABYTE);
    expect(fastestOf(() => extractIndicators(text))).toBeLessThan(MS_MAX);
  });
});

/** CPU time of this thread, so that other load on the machine is not counted. A quadratic step would take minutes. */
function fastestOf(work: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && fastest > MS_MAX / 2; run++) {
    const start = process.threadCpuUsage().user;
    work();
    fastest = Math.min(fastest, (process.threadCpuUsage().user - start) / 1_000);
  }
  return fastest;
}
