import { expect, test } from 'vitest';
import { extractIndicators } from './extract-indicators.ts';

const MEGABYTE = 1_048_576;
const MS_MAX = 1_000;

/** Whatever a rule looks ahead for, repeated; and what real texts are full of. */
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

/** Nothing is repeated, so that nothing is remembered. */
const DISTINCT: Readonly<Record<string, (n: number) => string>> = {
  'IPv6 addresses': (n) => `::${(n % 65_536).toString(16)}:${(n >>> 16).toString(16)} `,
  domains: (n) => `${n.toString(36)}.com\n`,
  'file names': (n) => `${n.toString(36)}.pl `,
  URLs: (n) => `http://${n.toString(36)}.com/,`,
  'broken URLs': (n) => `,http://${n.toString(36)}`,
};

test.each(Object.entries(DISTINCT))('a megabyte of different %s takes less than a second', (_name, make) => {
  let text = '';
  for (let n = 0; text.length < MEGABYTE; n++) text += make(n);
  expect(fastestOf(() => extractIndicators(text))).toBeLessThan(MS_MAX);
});

test.each(PUMPS)('a megabyte of %j takes less than a second', (pump) => {
  const text = pump.repeat(Math.ceil(MEGABYTE / pump.length)).slice(0, MEGABYTE);
  expect(fastestOf(() => extractIndicators(text))).toBeLessThan(MS_MAX);
});

/** Time of this thread alone: what else the machine does is left out. A quadratic step would take minutes. */
function fastestOf(work: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && fastest > MS_MAX / 2; run++) {
    const start = process.threadCpuUsage().user;
    work();
    fastest = Math.min(fastest, (process.threadCpuUsage().user - start) / 1_000);
  }
  return fastest;
}
