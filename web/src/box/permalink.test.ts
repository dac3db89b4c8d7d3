import { expect, test } from 'vitest';
import { permalinkOf, type Target } from './permalink.ts';

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
