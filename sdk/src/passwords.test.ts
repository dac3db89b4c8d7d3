import { afterEach, expect, test, vi } from 'vitest';
import { startLoopback } from '../test/loopback.ts';
import { createAssay } from './client.ts';

/** SHA-1 of "password" is 5BAA6 1E4C9B93F3F0 682250B6CF8331B7EE68FD8. */
const RANGE = {
  prefix: '5BAA6',
  mode: 'sha1',
  suffixLength: 12,
  entries: [
    { suffix: '003D68EB5506', count: 0 },
    { suffix: '1E4C9B93F3F0', count: 9_659_365 },
  ],
  source: 'Have I Been Pwned',
  corpusUpdatedAt: '2026-08-22T00:00:00.000Z',
};

afterEach(() => vi.unstubAllGlobals());

test('a password is hashed here: five digits of its hash leave, and padding is asked for', async () => {
  const loopback = await startLoopback((response) =>
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(RANGE)),
  );
  try {
    const { passwords } = createAssay({ baseUrl: loopback.url });
    expect(await passwords.isExposed('password')).toBe(true);
    expect(await passwords.exposure('password')).toEqual({
      count: 9_659_365,
      corpusUpdatedAt: RANGE.corpusUpdatedAt,
    });
    expect(await passwords.isExposed('a password of the same range')).toBe(false);
    const [first] = loopback.received;
    expect(first).toMatchObject({ method: 'GET', url: '/api/pwned-passwords/range/5BAA6', body: '' });
    expect(first?.headers['add-padding']).toBe('true');
    const sent = JSON.stringify(loopback.received);
    for (const secret of ['password"', '1E4C9B93F3F0']) expect(sent).not.toContain(secret);
  } finally {
    await loopback.close();
  }
});

test('a padding entry with the digits of the hash is not an exposure', async () => {
  const padded = { ...RANGE, entries: [{ suffix: '1E4C9B93F3F0', count: 0 }] };
  const answer = async () => Response.json(padded);
  const { passwords } = createAssay({ baseUrl: 'https://api.example.test', fetch: answer });
  expect(await passwords.isExposed('password')).toBe(false);
});

test('a page without crypto.subtle is told why', async () => {
  vi.stubGlobal('crypto', {});
  const { passwords } = createAssay({ baseUrl: 'https://api.example.test' });
  await expect(passwords.isExposed('password')).rejects.toThrow('HTTPS');
});
