import { expect, test } from 'vitest';
import { refusalOf, retryAfter } from './download-error.ts';

const refused = (status: number, keyEnv?: string, headers = {}) => refusalOf({ status, headers }, keyEnv, 0);

test('a refused key names the variable that holds it', () => {
  expect(refused(403, 'ABUSE_CH_AUTH_KEY').message).toContain('ABUSE_CH_AUTH_KEY');
  expect(refused(401).message).toContain('ask for a key');
});

test.each([
  [404, /moved or ended/],
  [410, /moved or ended/],
  [429, /too often/],
  [500, /problem of its own/],
  [302, /instead of the list/],
])('%i has its own message', (status, sentence) => {
  expect(refused(status).message).toMatch(sentence);
});

test('Retry-After is seconds or a date; other text is ignored', () => {
  expect(refused(429, undefined, { 'retry-after': '120' }).retryAfterMs).toBe(120_000);
  expect(retryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 0)).toBe(60_000);
  expect(retryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 90_000)).toBe(0);
  expect(retryAfter('soon', 0)).toBeNull();
  expect(retryAfter(undefined, 0)).toBeNull();
});
