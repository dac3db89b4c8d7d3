import { expect, test } from 'vitest';
import { icannSuffixOf, isPlatformRoot, platformAround, platformSuffix } from './public-suffix.ts';

test('registrable domains follow the ICANN section only', () => {
  expect(icannSuffixOf('a.b.github.io')).toEqual({ registrable: 'github.io' });
  expect(icannSuffixOf('a.example.co.uk')).toEqual({ registrable: 'example.co.uk' });
  expect(icannSuffixOf('co.uk')).toEqual({ registrable: null });
  expect(icannSuffixOf('foo.internal')).toBeNull();
});

test('platforms that rent out names are known from the private section', () => {
  expect(platformSuffix('a.b.github.io')).toBe('github.io');
  expect(platformSuffix('github.io')).toBe('github.io');
  expect(platformSuffix('foo.blogspot.com')).toBe('blogspot.com');
  expect(platformSuffix('www.example.com')).toBeNull();
  expect(platformSuffix('example.co.uk')).toBeNull();
});

test('a name that is a suffix only by a wildcard rule belongs to a customer and is not the platform', () => {
  expect(isPlatformRoot('github.io')).toBe(true);
  expect(isPlatformRoot('localto.net')).toBe(true);
  expect(isPlatformRoot('jw8ndw9ev.localto.net')).toBe(false);
  expect(platformSuffix('a.jw8ndw9ev.localto.net')).toBe('jw8ndw9ev.localto.net');
  expect(isPlatformRoot('a.github.io')).toBe(false);
  expect(isPlatformRoot('example.com')).toBe(false);
});

test.each([
  ['a.b.github.io', 'github.io'],
  ['github.io', 'github.io'],
  ['localto.net', 'localto.net'],
  ['x.7f3a.localto.net', '7f3a.localto.net'],
  ['weebly.com', 'weebly.com'],
  ['a.weebly.com', null],
  ['example.com', null],
  ['co.uk', null],
])('the platform around %s is %s', (host, platform) => {
  expect(platformAround(host)).toBe(platform);
  expect(platformSuffix(host) ?? (isPlatformRoot(host) ? host : null)).toBe(platform);
});
