import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { createKeyWriter, keyOf } from './indicator-key.ts';

function indicator(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}
const hex = (text: string): string => Buffer.from(keyOf(indicator(text))).toString('hex');
const ascii = (text: string): string => Buffer.from(text).toString('hex');

test.each([
  ['1.2.3.4', '0101020304'],
  ['255.254.253.252', '01fffefdfc'],
  ['2606:4700::1111', '0226064700000000000000000000001111'],
  ['11.0.0.0/8', '030b00000008'],
  ['2606:4700::/32', '042606470000000000000000000000000020'],
  ['login.example.com', `05${ascii('login.example.com')}`],
  ['d41d8cd98f00b204e9800998ecf8427e', '07d41d8cd98f00b204e9800998ecf8427e'],
  ['da39a3ee5e6b4b0d3255bfef95601890afd80709', '08da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ['a'.repeat(64), `09${'a'.repeat(64)}`],
  ['who@example.com', `0a${ascii('who@example.com')}`],
])('the key of %s is %s', (text, expected) => {
  expect(hex(text)).toBe(expected);
});

test('the key of a URL is a digest of its canonical text', () => {
  const digest = createHash('sha256').update('http://evil.example.com/Path').digest('hex').slice(0, 32);
  expect(hex('HXXP://evil[.]example.com:80/Path')).toBe(`06${digest}`);
});

test('a parent key is the key of the parent itself', () => {
  const keys = createKeyWriter();
  expect(Buffer.from(keys.domainAt('a.b.example.com', 4)).toString('hex')).toBe(hex('example.com'));
});

test('keys of ranges sort by first address, wider first', () => {
  const sorted = ['11.0.0.0/8', '11.0.0.0/9', '11.0.1.0/24', '12.0.0.0/8'].map(hex);
  expect([...sorted].sort()).toEqual(sorted);
});
