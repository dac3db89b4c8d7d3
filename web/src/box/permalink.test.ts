import { expect, test } from 'vitest';
import { asnPath, familyPath, networkPath, permalinkOf, sourcePath, type Target } from './permalink.ts';

test.each<[Target, string]>([
  [{ type: 'ip', value: '2001:db8::1' }, '/ip/2001:db8::1'],
  [{ type: 'domain', value: 'evil.example' }, '/domain/evil.example'],
  [
    { type: 'url', value: 'https://evil.example//a?b=c#d' },
    '/url/https%3A%2F%2Fevil.example%2F%2Fa%3Fb%3Dc%23d',
  ],
  [{ type: 'url', value: 'http://evil.example/%2F' }, '/url/http%3A%2F%2Fevil.example%2F%252F'],
])('the page of %j is %s, and the value comes back out of it unchanged', (target, path) => {
  expect(permalinkOf(target)).toBe(path);
  expect(decodeURIComponent(path.slice(target.type.length + 2))).toBe(target.value);
});

test('pages around an indicator have paths that people can type', () => {
  expect([
    asnPath(13_335),
    networkPath('2a0e:97c0::/48'),
    sourcePath('threatfox'),
    familyPath('Cobalt Strike'),
  ]).toEqual(['/asn/13335', '/network/2a0e:97c0::/48', '/source/threatfox', '/family/Cobalt%20Strike']);
});
