import { describe, expect, test } from 'vitest';
import { portableSource } from './portable-pattern.ts';

const RAW = String.raw;

describe('a pattern of the description', () => {
  test.each([
    RAW`^[0-9a-fA-F]{5}$`,
    RAW`^(?:CWE-)?\d{1,6}$`,
    RAW`^(?!\.)[\w.+-]+@\S+$`,
    RAW`^[^\u0000-\u001f\u2028]*$`,
    RAW`^[\x20-\x7e]+$`,
    RAW`^[\]\\-]$`,
  ])('%s is read the same in JavaScript and in Python', (source) => {
    expect(portableSource(new RegExp(source))).toBe(source);
  });

  test.each([
    ['a category of characters', RAW`^\p{L}+$`, 'u'],
    ['the complement of a category', RAW`^[^\P{L}]+$`, 'u'],
    ['a code point in braces', RAW`^\u{1f600}$`, 'u'],
    ['a named group', RAW`^(?<year>\d{4})$`, ''],
    ['a lookbehind', '(?<=a+)b', ''],
    ['an empty class', '^[^]*$', ''],
    ['a bracket inside a class', '^[[a]+$', ''],
    ['an escape that only loose parsers take', RAW`^\@$`, ''],
    ['a flag', '^[0-9a-f]{5}$', 'i'],
  ])('%s is refused', (_what, source, flags) => {
    const pattern = new RegExp(source, flags);
    expect(() => portableSource(pattern)).toThrow();
  });
});
