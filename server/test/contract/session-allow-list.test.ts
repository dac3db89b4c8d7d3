import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccess, FROM_DASHBOARD, type TestAccess } from '#test/access.ts';

/** A session has the rights of the key pair that opened it, its allow list included (reliability 3.C). */
let t: TestAccess;
let user: string;
beforeAll(async () => {
  t = await createTestAccess();
  user = await t.newUser('analyst@example.com', { plan: 'PRO' });
});
afterAll(() => t?.close());

const URL = '/api/auth/session';
const [INSIDE, OUTSIDE] = ['203.0.113.5', '198.51.100.1'];
type From = { readonly from: string; readonly cookie?: string };

const headersOf = ({ cookie }: From) =>
  cookie === undefined ? FROM_DASHBOARD : { ...FROM_DASHBOARD, cookie };
const get = (url: string, from: From) =>
  t.app.inject({ url, headers: headersOf(from), remoteAddress: from.from });
const signIn = async (cidrs: string[], from: From) => {
  const { apiKey, apiSecret } = await t.newKey(user, user, cidrs);
  return t.app.inject({
    method: 'POST',
    url: URL,
    headers: headersOf(from),
    payload: { apiKey, apiSecret },
    remoteAddress: from.from,
  });
};
const cookiesOf = (answer: { headers: Record<string, unknown> }): string[] =>
  [answer.headers['set-cookie'] ?? []].flat() as string[];
const openBound = async (): Promise<string> =>
  cookiesOf(await signIn(['203.0.113.0/24'], { from: INSIDE }))[0]?.split(';')[0] ?? '';
const probe = async (cookie: string, from: string) => (await get('/probe', { from, cookie })).statusCode;

test('a stolen cookie is refused from outside the allow list and still works inside', async () => {
  const cookie = await openBound();
  expect(await probe(cookie, INSIDE)).toBe(200);
  const refused = await get('/probe', { from: OUTSIDE, cookie });
  expect(refused.statusCode).toBe(403);
  expect(refused.json<{ message: string }>().message).toContain(`may not be used from ${OUTSIDE}`);
  expect(await probe(cookie, INSIDE)).toBe(200);
});

test('outside the allow list a session counts as signed out, so that the page still works anonymously; inside it stays valid', async () => {
  const cookie = await openBound();
  const answer = await get(URL, { from: OUTSIDE, cookie });
  expect(answer.json()).toEqual({ signedIn: false });
  expect(cookiesOf(answer).join()).toContain('Max-Age=0');
  expect(await probe(cookie, INSIDE)).toBe(200);
});

test('signing out, or in with another key, ends the session from any address', async () => {
  const [one, two] = [await openBound(), await openBound()];
  const from = { from: OUTSIDE, cookie: one };
  await t.app.inject({ method: 'DELETE', url: URL, headers: headersOf(from), remoteAddress: OUTSIDE });
  expect((await signIn([], { from: OUTSIDE, cookie: two })).statusCode).toBe(201);
  expect([await probe(one, INSIDE), await probe(two, INSIDE)]).toEqual([401, 401]);
});
