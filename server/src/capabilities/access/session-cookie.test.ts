import { describe, expect, test } from 'vitest';
import { commonParent, createSessionCookie } from './session-cookie.ts';

describe('the session cookie', () => {
  test('on HTTPS it is __Secure-, HttpOnly, Secure, Lax, and of this host alone', () => {
    const cookie = createSessionCookie('https://assay.example.com', 'https://assay.example.com');
    expect(cookie.name).toBe('__Secure-sid');
    expect(cookie.issue('token', 60)).toBe(
      '__Secure-sid=token; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
    );
    expect(cookie.clear).toEqual(['__Secure-sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure']);
  });

  test('on plain HTTP it has the bare name, which a browser accepts there', () => {
    const cookie = createSessionCookie('http://127.0.0.1:8080', 'http://127.0.0.1:8080');
    expect(cookie.issue('token', 60)).toBe('sid=token; Max-Age=60; Path=/; HttpOnly; SameSite=Lax');
  });

  test('sibling hosts share it through their parent, and it is cleared in both forms', () => {
    const cookie = createSessionCookie('https://api.assay.example.com', 'https://app.assay.example.com');
    expect(cookie.issue('t', 1)).toMatch(/; Domain=assay\.example\.com$/);
    expect(cookie.clear).toHaveLength(2);
    expect(cookie.clear.filter((line) => line.includes('Domain='))).toHaveLength(1);
  });
});

test.each([
  ['api.example.com', 'app.example.com', 'example.com'],
  ['api.example.com', 'example.com', 'example.com'],
  ['example.com', 'app.example.com', 'example.com'],
  ['api.eu.example.co.uk', 'app.eu.example.co.uk', 'eu.example.co.uk'],
  ['api.assay.internal', 'app.assay.internal', 'assay.internal'],
  ['app.example.com', 'app.example.com', null],
  ['example.com', 'example.org', null],
  ['one.co.uk', 'two.co.uk', null],
  ['one.github.io', 'two.github.io', null],
  ['127.0.0.1', '127.0.0.2', null],
  ['localhost', '127.0.0.1', null],
  ['[::1]', 'localhost', null],
  ['api', 'app', null],
])('the common parent of %s and %s is %s', (one, other, parent) => {
  expect(commonParent(one, other)).toBe(parent);
  expect(commonParent(other, one)).toBe(parent);
});
