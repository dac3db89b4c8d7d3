import { expect, test } from 'vitest';
import { namesAbove } from './names-above.ts';
import { readLine, type VisitedHost } from './reference-file.ts';

test.each([
  ['a.b.example.com', ['a.b.example.com', 'www.a.b.example.com', 'b.example.com', 'example.com']],
  ['example.com', ['example.com', 'www.example.com']],
  ['shop.example.co.uk', ['shop.example.co.uk', 'www.shop.example.co.uk', 'example.co.uk']],
  ['a.tenant.github.io', ['a.tenant.github.io', 'www.a.tenant.github.io', 'tenant.github.io']],
  ['tenant.weebly.com', ['tenant.weebly.com', 'www.tenant.weebly.com']],
  ['github.io', []],
  ['weebly.com', []],
])('a listing of %s is one of %j', (host, names) => {
  expect(namesAbove(readLine(host) as VisitedHost)).toEqual(names);
});
