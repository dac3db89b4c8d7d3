import { describe, expect, test } from 'vitest';
import { createSecrets } from '#platform/secrets.ts';
import { commonParent, createSessionCookie } from './session-cookie.ts';

const [OLD, NEW] = [`1:${'a'.repeat(32)}`, `2:${'b'.repeat(32)}`];
const secrets = createSecrets(OLD);
const TOKEN = 'T'.repeat(43);

describe('the session cookie', () => {
  test('on HTTPS it is __Secure-, HttpOnly, Secure, Lax, and of this host alone', () => {
    const cookie = createSessionCookie('https://assay.example.com', 'https://assay.example.com', secrets);
    expect(cookie.name).toBe('__Secure-sid');
    expect(cookie.issue(TOKEN, 60)).toMatch(
      /^__Secure-sid=T{43}\.1\.[\w-]{43}; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(cookie.clear).toEqual(['__Secure-sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure']);
  });

  test('on plain HTTP its name has no prefix, because a browser accepts that there', () => {
    const cookie = createSessionCookie('http://127.0.0.1:8080', 'http://127.0.0.1:8080', secrets);
    expect(cookie.issue(TOKEN, 60)).toMatch(
      /^sid=T{43}\.1\.[\w-]{43}; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('sibling hosts share it through their parent, and it is cleared in both forms', () => {
    const cookie = createSessionCookie(
      'https://api.assay.example.com',
      'https://app.assay.example.com',
      secrets,
    );
    expect(cookie.issue('t', 1)).toMatch(/; Domain=assay\.example\.com$/);
    expect(cookie.clear).toHaveLength(2);
    expect(cookie.clear.filter((line) => line.includes('Domain='))).toHaveLength(1);
  });

  test('only a value that a listed version of SECRET_KEY issued is opened', () => {
    const url = 'http://127.0.0.1:8080';
    const issuedBy = (text: string) => {
      const cookie = createSessionCookie(url, url, createSecrets(text));
      return cookie.issue(TOKEN, 60).split(';')[0]?.slice('sid='.length) ?? '';
    };
    const value = issuedBy(OLD);
    const both = createSessionCookie(url, url, createSecrets(`${NEW},${OLD}`));
    expect([both.open(value), both.open(issuedBy(NEW))]).toEqual([TOKEN, TOKEN]);
    const others = [
      TOKEN,
      '',
      value.replace('T', 'U'),
      value.replace('.1.', '.2.'),
      value.replace('.1.', '.7.'),
      value.slice(0, -1),
      `${value}A`,
      issuedBy(`1:${'c'.repeat(32)}`),
    ];
    for (const other of others) expect(both.open(other), other).toBeNull();
    expect(createSessionCookie(url, url, createSecrets(NEW)).open(value)).toBeNull();
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
