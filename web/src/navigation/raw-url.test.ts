import { expect, test } from 'vitest';
import { keepRawUrl } from './raw-url.ts';

const kept = (path: string) => keepRawUrl({ url: new URL(path, 'https://assay.example') });

test.each([
  ['/url/http://evil.example/a?b=c', 'http://evil.example/a?b=c'],
  ['/url/https://evil.example//two//slashes', 'https://evil.example//two//slashes'],
  ['/url/http://evil.example/?x=1&x=2&y', 'http://evil.example/?x=1&x=2&y'],
  ['/url/http://evil.example/a%2Fb%20c', 'http://evil.example/a%2Fb%20c'],
  ['/url/hxxp://evil[.]example/', 'hxxp://evil[.]example/'],
  ['/url/HTTP:/evil.example/', 'HTTP:/evil.example/'],
])('%s keeps every character of its URL', (path, raw) => {
  const url = kept(path);
  expect(url?.search).toBe('');
  expect(decodeURIComponent(url?.pathname.slice('/url/'.length) ?? '')).toBe(raw);
});

test.each([
  '/url/http%3A%2F%2Fevil.example%2F',
  '/ip/2001:db8::1',
  '/bulk?risk=high',
  '/',
  '/url/evil.example',
])('%s is left alone', (path) => {
  expect(kept(path)).toBeUndefined();
});
