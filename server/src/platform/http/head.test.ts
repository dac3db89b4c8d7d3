import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { POLICY, PUBLIC, plainRoute, recordedGates, testApp } from '#test/http-app.ts';
import { type ANSWERED, NO_BODY } from './route.ts';

const { gates, calls } = recordedGates();
const worked: string[] = [];
const app = testApp(
  [
    plainRoute({
      path: '/metered',
      query: z.object({ query: z.string().max(9) }),
      handle: () => {
        worked.push('metered');
        return { ok: true };
      },
    }),
    plainRoute({ path: '/scans', policy: { ...POLICY, meter: 'scans' } }),
    plainRoute({
      path: '/probe',
      policy: { ...POLICY, head: 'handled' },
      handle: () => {
        worked.push('probe');
        return NO_BODY as unknown as typeof ANSWERED;
      },
    }),
    plainRoute({ path: '/burst', policy: { ...POLICY, meter: 'burst' } }),
    plainRoute({ path: '/open', policy: PUBLIC }),
  ],
  { gates },
);
beforeAll(() => app.ready());
afterAll(() => app.close());

const head = async (url: string) => {
  calls.length = 0;
  worked.length = 0;
  const reply = await app.inject({ method: 'HEAD', url });
  return { reply, calls: [...calls], worked: [...worked] };
};

test('HEAD of a metered route spends the burst alone, does no work and answers the headers that need none', async () => {
  const { reply, calls: gate, worked: done } = await head('/metered?query=a');
  expect([reply.statusCode, reply.body]).toEqual([200, '']);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-ratelimit-limit': '60',
    'cache-control': 'private, no-store',
  });
  // The length is unknown, because HEAD does not do the work that would give it.
  expect(reply.headers).not.toHaveProperty('content-length');
  expect([gate, done]).toEqual([['identify', 'admit 0'], []]);
  expect((await head('/scans')).calls).toContain('admit 0');
});

test('HEAD says what GET would refuse', async () => {
  const { reply, calls: gate } = await head('/metered?query=much-too-long');
  expect([reply.statusCode, reply.body, gate]).toEqual([400, '', ['identify', 'admit 0']]);
});

test('a route that answers HEAD itself is asked, and costs no unit either', async () => {
  const { reply, calls: gate, worked: done } = await head('/probe');
  expect([reply.statusCode, gate, done]).toEqual([200, ['identify', 'admit 0'], ['probe']]);
});

test('HEAD of a route without units answers like GET, with the length of the body', async () => {
  for (const url of ['/burst', '/open'])
    expect((await head(url)).reply.headers, url).toMatchObject({ 'content-length': '11' });
});
