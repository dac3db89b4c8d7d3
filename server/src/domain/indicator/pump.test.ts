import { describe, expect, test } from 'vitest';
import { LINEAR_TIMES_MAX, timesInPieces, timesTheWork } from '#test/growth.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { normalizeText } from './normalize-text.ts';
import { parseDomain } from './parse-domain.ts';
import { parseEmail } from './parse-email.ts';
import { parseHash } from './parse-hash.ts';
import { parseIndicator } from './parse-indicator.ts';
import { parseIp } from './parse-ip.ts';
import { parseUrl } from './parse-url.ts';
import { refangOnce } from './refang.ts';

/** `parseIndicator` accepts 2,048 characters; every step behind it is tested with fifty times that. */
const PUMP_LENGTH = 100_000;
const MS_MAX = 50;
const RUNS_MAX = 6;
/** `parseIndicator` is timed over this many calls, because one call is too quick to compare. */
const DOOR_CALLS = 60;

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

const framed = (frame: string, pump: string, length: number): string =>
  frame.replace('#', () => pump.repeat(Math.ceil(length / pump.length)));

describe.each(Object.entries(STEPS))('%s is linear', (_name, step) => {
  test.each(FRAMES)('on 100 KB of anything inside "%s"', (frame) => {
    for (const pump of PUMPS) {
      const times = timesInPieces(step, (length) => framed(frame, pump, length), PUMP_LENGTH);
      expect(times, JSON.stringify(pump)).toBeLessThan(LINEAR_TIMES_MAX);
      if (!IS_FULL_SIZE) continue;
      const text = framed(frame, pump, PUMP_LENGTH);
      expect({ pump, ms: fastestOf(() => step(text)) }).toSatisfy(({ ms }) => ms < MS_MAX);
    }
  });
});

test('parseIndicator refuses long text before it reads it', () => {
  for (const pump of PUMPS) {
    // 100,000 repetitions must take no longer than 2,049, which is the first length that is refused.
    const [refused, long] = [pump.repeat(2_049), pump.repeat(PUMP_LENGTH)];
    const often = (text: string) => () => {
      for (let call = 0; call < DOOR_CALLS; call++) parseIndicator(text);
    };
    expect(timesTheWork(often(refused), often(long)), pump).toBeLessThan(LINEAR_TIMES_MAX);
    if (IS_FULL_SIZE) expect(fastestOf(() => parseIndicator(long))).toBeLessThan(1);
  }
});

// NFKC turns the last character into 18.
const LET_IN = [...PUMPS, 'ﷺ'];

test('the work for the longest text that is let in grows with its length alone, whatever it is', () => {
  for (const pump of LET_IN)
    for (const frame of FRAMES) {
      const often = (text: string) => {
        for (let call = 0; call < DOOR_CALLS; call++) parseIndicator(text);
      };
      const make = (length: number) => framed(frame, pump, length).slice(0, length);
      expect(timesInPieces(often, make, 2_048), `${pump} in ${frame}`).toBeLessThan(LINEAR_TIMES_MAX);
    }
});

test.runIf(IS_FULL_SIZE)('the longest text that is let in takes at most 5 ms whatever it is', () => {
  for (const pump of LET_IN)
    for (const frame of FRAMES) {
      const text = frame.replace('#', () => pump.repeat(2_048)).slice(0, 2_048);
      expect({ pump, frame, ms: fastestOf(() => parseIndicator(text)) }).toSatisfy(({ ms }) => ms < 5);
    }
});

/** The fastest of a few runs: a busy machine delays one run, a quadratic step delays them all. */
function fastestOf(work: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS_MAX && fastest > 1; run++) {
    const start = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}
