import { expect, test } from 'vitest';
import { limitsOf } from './limits.ts';

const of = (headers: Record<string, string>) => limitsOf({ headers: new Headers(headers) });

test('the remaining quota is read from the headers', () => {
  expect(
    of({
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
      'X-RateLimit-Reset': '1800000000000',
      'X-RateLimit-Type': 'burst',
      'X-RateLimit-Plan': 'PRO',
      'X-Monthly-Usage': '25',
      'X-Monthly-Limit': '10000',
      'X-Monthly-Percentage': '0.25',
    }),
  ).toEqual({
    rate: { limit: 60, remaining: 59, resetsAtMs: 1_800_000_000_000, type: 'burst', plan: 'PRO' },
    monthly: { usage: 25, limit: 10_000, percentage: 0.25 },
    scans: null,
  });
});

test('a missing or unreadable header is null', () => {
  expect(of({})).toEqual({ rate: null, monthly: null, scans: null });
  expect(of({ 'X-Monthly-Usage': '', 'X-Monthly-Limit': 'many' }).monthly).toBeNull();
});

test('the percentage is computed where a proxy dropped it', () => {
  expect(of({ 'X-Monthly-Usage': '5', 'X-Monthly-Limit': '50' }).monthly?.percentage).toBe(10);
  expect(of({ 'X-Monthly-Usage': '0', 'X-Monthly-Limit': '0' }).monthly?.percentage).toBe(100);
});

test('scans have a meter of their own', () => {
  expect(of({ 'X-Scan-Usage': '3', 'X-Scan-Limit': '1000' }).scans).toEqual({ usage: 3, limit: 1_000 });
});
