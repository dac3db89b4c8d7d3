import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import { plainRoute } from '#test/http-app.ts';
import { type MeteredApp, policyOf, startMeteredApp } from '#test/metered-app.ts';

/** The limit of file downloads (decisions O38): a file that the caller has already costs nothing. */
let t: MeteredApp;
const policy = policyOf('downloads', {
  auth: 'lenient',
  cost: ({ request }) => (request.headers['if-none-match'] === undefined ? 1 : 0),
});

beforeAll(async () => {
  t = await startMeteredApp([plainRoute({ path: '/file', policy })]);
});
afterAll(() => t?.close());
beforeEach(() => t.nextCaller());

const get = (headers: Record<string, string> = {}) => t.app.inject({ url: '/file', headers });
async function granted(tries: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: tries }, () => get()));
  return answers.filter(({ statusCode }) => statusCode === 200).length;
}

test('a key gets 3,600 files an hour, then 429 with Retry-After, and what it has already costs nothing', async () => {
  const first = await get();
  expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '3600', 'x-ratelimit-remaining': '3599' });
  expect(await granted(3_650)).toBe(3_599);
  const refused = await get();
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await get({ 'if-none-match': '"x"' })).statusCode).toBe(200);
});

test('an address without a key gets 600 files an hour', async () => {
  const anonymous: Principal = { ...t.principal, kind: 'anonymous', id: '198.51.100.7', accountId: '' };
  t.principal = anonymous;
  expect(await granted(650)).toBe(600);
});
