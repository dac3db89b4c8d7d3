import { expect, test } from 'vitest';
import { hrefOf, matchPath, readAddress } from './address.ts';

const read = (path: string) => readAddress(`https://assay.example${path}`);

test.each([
  ['/app/', { path: '/', search: {} }],
  ['/app', { path: '/', search: {} }],
  ['/app/bulk?risk=high&type=ip', { path: '/bulk', search: { risk: 'high', type: 'ip' } }],
  ['/app/status/data/', { path: '/status/data', search: {} }],
  ['/app/ip/2001:db8::1', { path: '/ip/2001:db8::1', search: {} }],
])('%s is the place of its page', (href, place) => {
  expect(read(href)).toEqual(place);
});

test('a raw URL stays one value, with its slashes and its query', () => {
  const { path, search } = read('/app/url/https://evil.example//a/?b=c');
  expect(search).toEqual({});
  expect(matchPath('/url/*', path)).toEqual({ rest: 'https://evil.example//a/?b=c' });
});

test.each([
  ['/ip/:value', '/ip/192.0.2.1', { value: '192.0.2.1' }],
  ['/ip/:value', '/ip/', null],
  ['/ip/:value', '/ip/a/b', null],
  ['/ip/:value', '/domain/a', null],
  ['/domain/:value', '/domain/100%', { value: '100%' }],
  ['/domain/:value', '/domain/a%2Fb', { value: 'a/b' }],
  ['/network/*', '/network/192.0.2.0/24', { rest: '192.0.2.0/24' }],
  ['/network/*', '/network', null],
  ['/', '/', {}],
  ['/bulk', '/bulk', {}],
  ['/bulk', '/bulk/x', null],
])('%s and %s', (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params);
});

test('an address names only the parameters that have a value', () => {
  expect(hrefOf('/sign-in', { next: '/ip/192.0.2.1' })).toBe('/app/sign-in?next=%2Fip%2F192.0.2.1');
  expect(hrefOf('/sign-in', { next: undefined })).toBe('/app/sign-in');
});
