import { describe, expect, test } from 'vitest';
import { parseIndicator } from './parse-indicator.ts';
import { hostOf, isSingle } from './subject.ts';

const read = (text: string) => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
};

describe('trap 14: four ways to write it reach the same document', () => {
  test.each(['evil[.]com', 'EVIL.COM.', 'ｅｖｉｌ.com'])('%s is the very same domain', (text) => {
    expect(read(text)).toEqual(read('evil.com'));
  });

  test('hxxps://evil.com/ is a URL judged on that domain', () => {
    const url = read('hxxps://evil.com/');
    expect(url).toMatchObject({ kind: 'url', value: 'https://evil.com/' });
    expect(hostOf(url)).toEqual(read('evil.com'));
  });
});

test('hostOf returns the address or name that an indicator is reached at', () => {
  expect(hostOf(read('1.2.3.4'))).toEqual(read('1.2.3.4'));
  expect(hostOf(read('http://[::ffff:1.2.3.4]/'))).toEqual(read('1.2.3.4'));
  expect(hostOf(read('a@evil.com'))).toEqual(read('evil.com'));
  expect(hostOf(read('10.0.0.0/8'))).toBeNull();
  expect(hostOf(read('d41d8cd98f00b204e9800998ecf8427e'))).toBeNull();
});

test('only a range is not single', () => {
  expect(isSingle(read('10.0.0.0/8'))).toBe(false);
  expect(isSingle(read('2001:db8::/32'))).toBe(false);
  expect(isSingle(read('10.0.0.0/32'))).toBe(true);
  expect(isSingle(read('evil.com'))).toBe(true);
});
