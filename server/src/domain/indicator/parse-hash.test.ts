import { describe, expect, test } from 'vitest';
import { summarize } from '#test/summarize-indicator.ts';
import { parseIndicator } from './parse-indicator.ts';

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

describe('a file hash', () => {
  test.each([
    [MD5, `md5 ${MD5}`],
    [MD5.toUpperCase(), `md5 ${MD5}`],
    [` ${MD5}\n`, `md5 ${MD5}`],
    [`"${MD5}"`, `md5 ${MD5}`],
    [`${MD5},`, `md5 ${MD5}`],
    ['0'.repeat(32), `md5 ${'0'.repeat(32)}`],
    ['1234567890'.repeat(4), `sha1 ${'1234567890'.repeat(4)}`],
    [SHA1, `sha1 ${SHA1}`],
    [SHA1.toUpperCase(), `sha1 ${SHA1}`],
    [SHA256, `sha256 ${SHA256}`],
    [SHA256.toUpperCase(), `sha256 ${SHA256}`],
    [`${SHA256.slice(0, 30)}\u200b${SHA256.slice(30)}`, `sha256 ${SHA256}`],
  ])('%j is %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });

  test.each([
    ['a'.repeat(128), 'no sha512'],
    ['CF83E135'.repeat(16), 'no sha512'],
    ['a'.repeat(96), 'no sha384'],
    ['a'.repeat(56), 'no sha224'],
    ['a'.repeat(33), 'no otherHash'],
    ['a'.repeat(41), 'no otherHash'],
    ['a'.repeat(63), 'no otherHash'],
    ['1'.repeat(70), 'no otherHash'],
    ['a'.repeat(2048), 'no otherHash'],
    ['a'.repeat(31), 'no singleLabel'],
    [`${MD5.slice(0, 31)}g`, 'no singleLabel'],
  ])('%j is refused, never read as a clean name (trap 15): %s', (text, expected) => {
    expect(summarize(parseIndicator(text))).toBe(expected);
  });

  test('the refusal of a SHA-512 names the digests that are supported', () => {
    const result = parseIndicator('a'.repeat(128));
    expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/MD5, SHA-1 or SHA-256/) });
  });
});
