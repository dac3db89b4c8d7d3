import { expect, test } from 'vitest';
import { listen, PUBLIC, plainRoute, testApp } from '#test/http-app.ts';

const ROUTES = [
  plainRoute({ path: '/open', policy: PUBLIC }),
  plainRoute({ path: '/kept', policy: PUBLIC, method: 'POST' }),
];

async function headersOf(requiresHttps: boolean): Promise<(string | null)[]> {
  const app = testApp(ROUTES, {
    config: { REQUIRE_HTTPS: requiresHttps, TRUSTED_PROXIES: ['127.0.0.1/32'] },
  });
  const port = await listen(app);
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
  try {
    const answers = [
      await ask('/open'),
      await ask('/nothing'),
      await ask('/kept', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }),
      await ask('/open', { headers: { 'x-forwarded-proto': 'http' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, requiresHttps ? 403 : 200]);
    return answers.map(({ headers }) => headers.get('strict-transport-security'));
  } finally {
    await app.close();
  }
}

test('where HTTPS is required every answer tells browsers to keep to it, errors too', async () => {
  expect(new Set(await headersOf(true))).toEqual(new Set(['max-age=31536000']));
});

test('elsewhere no answer does: a browser would refuse the plain HTTP of a development machine for a year', async () => {
  expect(new Set(await headersOf(false))).toEqual(new Set([null]));
});
