import { describe, expect, test } from 'vitest';
import { normalizeText } from './normalize-text.ts';
import { parseDomain } from './parse-domain.ts';
import { parseEmail } from './parse-email.ts';
import { parseHash } from './parse-hash.ts';
import { parseIndicator } from './parse-indicator.ts';
import { parseIp } from './parse-ip.ts';
import { parseUrl } from './parse-url.ts';
import { refangOnce } from './refang.ts';

/** The door lets 2,048 characters in; behind it every step must be linear, so it is given fifty times that. */
const PUMP_LENGTH = 100_000;
const MS_MAX = 50;
const RUNS_MAX = 6;

const PUMPS = [
  'a',
  'A',
  '0',
  '1',
  '.',
  'a.',
  '1.',
  '-',
  '_',
  ':',
  '::',
  '1:',
  '%',
  '%2',
  '%2e',
  '%41',
  '/',
  '/.',
  '/..',
  '\\',
  '\\.',
  '\\/',
  '(',
  ')',
  '()',
  '[',
  ']',
  '[]',
  '[[.]',
  '[.',
  '.]',
  '[ ',
  '[ .',
  '[dot',
  '[dot]',
  '(at',
  '(at)',
  ' dot',
  ' dot ',
  ' ',
  '\t',
  '"',
  "'",
  '@',
  'a@',
  '.@',
  '?',
  '#',
  '!',
  ',',
  'hxxp',
  'mailto:',
  'tel:',
  '0x',
  '。',
  'ü',
  '\u200b',
  'e\u200b\u0301',
  '\u0301',
  'xn--',
  'f',
  '{',
  '}',
  '<',
  '>',
  '|',
  '+',
  '&',
  '~',
  '\0',
  '\ud800',
];
const FRAMES = ['#', '#!', 'http://evil.com/#', 'http://#.com/', 'a@#', '[#]:80'];

const STEPS: Record<string, (text: string) => unknown> = {
  normalizeText,
  refangOnce,
  parseUrl,
  parseIp,
  parseHash,
  parseEmail,
  parseDomain,
};

describe.each(Object.entries(STEPS))('%s is linear', (_name, step) => {
  test.each(FRAMES)('on 100 KB of anything inside "%s"', (frame) => {
    for (const pump of PUMPS) {
      const text = frame.replace('#', () => pump.repeat(Math.ceil(PUMP_LENGTH / pump.length)));
      expect({ pump, ms: fastestOf(() => step(text)) }).toSatisfy(({ ms }) => ms < MS_MAX);
    }
  });
});

test('the door closes on long text before it looks at it', () => {
  for (const pump of PUMPS) {
    const text = pump.repeat(PUMP_LENGTH);
    expect(fastestOf(() => parseIndicator(text))).toBeLessThan(1);
  }
});

test('the longest text that is let in takes at most 5 ms whatever it is', () => {
  // NFKC makes 18 characters of the last one.
  for (const pump of [...PUMPS, 'ﷺ'])
    for (const frame of FRAMES) {
      const text = frame.replace('#', () => pump.repeat(2_048)).slice(0, 2_048);
      expect({ pump, frame, ms: fastestOf(() => parseIndicator(text)) }).toSatisfy(({ ms }) => ms < 5);
    }
});

/** The fastest of a few: a busy machine delays one run, a quadratic step delays them all. */
function fastestOf(work: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS_MAX && fastest > 1; run++) {
    const start = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}
