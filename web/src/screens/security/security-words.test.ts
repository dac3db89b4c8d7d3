import { describe, expect, test } from 'vitest';
import { accountOf, codesFile, inGroups, openedBy, programOf, whyFixed } from './security-words.ts';

describe('a session says how it was opened', () => {
  test.each([
    [{ method: 'password', factors: ['password'] }, 'Password'],
    [{ method: 'password', factors: ['password', 'totp'] }, 'Password and a code of the app'],
    [{ method: 'password', factors: ['password', 'recovery'] }, 'Password and a recovery code'],
    [{ method: 'passkey', factors: ['passkey'] }, 'Passkey'],
    [{ method: 'key', factors: [] }, 'API key pair'],
  ] as const)('%o', (session, words) => {
    expect(openedBy({ ...session, factors: [...session.factors] })).toBe(words);
  });
});

const MOZILLA = 'Mozilla/5.0';
test.each([
  [
    `${MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Safari/537.36`,
    'Chrome on Linux',
  ],
  [`${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/149.0 Safari/537.36 Edg/149.0`, 'Edge on Windows'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/140.0`, 'Firefox on macOS'],
  [`${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1`, 'Safari on iOS'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'A program without a name'],
])('%s is %s', (userAgent, words) => {
  expect(programOf(userAgent)).toBe(words);
});

test('a session names the organization it works for', () => {
  const organizations = [{ id: 'org_1', name: 'Example Inc.' }];
  expect(accountOf('org_1', organizations)).toBe('Example Inc.');
  expect(accountOf('usr_1', organizations)).toBe('Your own account');
  expect(accountOf('org_2', organizations)).toBe('org_2');
});

test('a secret is grouped for typing, and a file of codes names its account', () => {
  expect(inGroups('JBSWY3DPEHPK3P')).toBe('JBSW Y3DP EHPK 3P');
  expect(codesFile(['a-b', 'c-d'], 'assay.example.com', 'a@example.com', '2026-11-17')).toBe(
    'Recovery codes of a@example.com for assay.example.com, made on 2026-11-17.\nEach works once, in place of the second factor. Making new codes ends these.\n\na-b\nc-d\n',
  );
});

test('only a session of a password or a passkey changes factors', () => {
  expect(whyFixed({ method: 'password' })).toBeNull();
  expect(whyFixed({ method: 'passkey' })).toBeNull();
  expect(whyFixed(undefined)).toBeNull();
  expect(whyFixed({ method: 'key' })).toContain('API key pair');
});
