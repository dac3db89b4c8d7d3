import { describe, expect, test } from 'vitest';
import { createSecrets } from '#platform/secrets.ts';
import { createDeviceCookie } from './device-cookie.ts';

const [OLD, NEW] = [`1:${'a'.repeat(32)}`, `2:${'b'.repeat(32)}`];
const HTTPS = 'https://assay.example.com';
const NOW = Date.UTC(2026, 10, 19);
const YEAR_MS = 365 * 86_400_000;
const EMAIL = 'owner@example.com';
const cookieUnder = (secret: string, web = HTTPS, api = web) =>
  createDeviceCookie(api, web, createSecrets(secret));
const cookie = cookieUnder(OLD);
const sent = (line = '') => ({ headers: line === '' ? {} : { cookie: line.split(';')[0] ?? '' } });
const issued = cookie.issue(sent(), EMAIL, NOW);

describe('the cookie of a known device', () => {
  test('is HttpOnly, Strict, Secure over HTTPS, sent to sign-in routes alone, and does not name the person', () => {
    expect(issued).toMatch(
      /^__Secure-device=[\w-]{16}\.[0-9a-z]+\.1\.[\w-]{43}; Max-Age=31536000; Path=\/api\/auth; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(issued).not.toContain('owner');
  });

  test('has no Secure flag on plain HTTP, and the parent domain for sibling hosts', () => {
    expect(cookieUnder(OLD, 'http://127.0.0.1:8080').issue(sent(), EMAIL, NOW)).toMatch(
      /^device=.*; SameSite=Strict$/,
    );
    const siblings = cookieUnder(OLD, 'https://app.example.com', 'https://api.example.com');
    expect(siblings.issue(sent(), EMAIL, NOW)).toMatch(/; Domain=example\.com$/);
  });

  test('is found for the person who signed in, for a year, and for nobody else', () => {
    expect(cookie.find(sent(issued), EMAIL, NOW + 1)?.issuedAtMs).toBe(NOW);
    expect(cookie.find(sent(issued), 'other@example.com', NOW + 1)).toBeNull();
    expect(cookie.find(sent(issued), EMAIL, NOW + YEAR_MS)).toBeNull();
    expect(cookie.find(sent(), EMAIL, NOW)).toBeNull();
  });

  test('is refused when one character changes, when it comes twice, and when its key was retired', () => {
    const value = issued.split(';')[0] ?? '';
    for (let at = value.indexOf('=') + 1; at < value.length - 1; at += 7) {
      const other = value[at] === 'A' ? 'B' : 'A';
      expect(cookie.find(sent(value.slice(0, at) + other + value.slice(at + 1)), EMAIL, NOW)).toBeNull();
    }
    expect(cookie.find({ headers: { cookie: `${value}; ${value}` } }, EMAIL, NOW)).toBeNull();
    expect(cookieUnder(`${NEW},${OLD}`).find(sent(issued), EMAIL, NOW)).not.toBeNull();
    expect(cookieUnder(NEW).find(sent(issued), EMAIL, NOW)).toBeNull();
  });

  test('has a new id at every sign-in, so that tries are counted from there', () => {
    const again = cookie.issue(sent(issued), EMAIL, NOW + 5);
    const ids = [issued, again].map((line) => cookie.find(sent(line), EMAIL, NOW + 5)?.id);
    expect(new Set(ids).size).toBe(2);
    expect(again.split('~')).toHaveLength(1);
  });

  test('serves four people of one browser; the fifth replaces the one who signed in longest ago', () => {
    let line = '';
    const people = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`);
    for (const person of people) line = cookie.issue(sent(line), person, NOW);
    expect(people.map((person) => cookie.find(sent(line), person, NOW) !== null)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(line.length).toBeLessThan(512);
  });
});
