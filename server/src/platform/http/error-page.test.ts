import { afterAll, expect, test } from 'vitest';
import { ServiceError, unavailable } from '#platform/errors.ts';
import { PUBLIC, plainRoute, testApp } from '#test/http-app.ts';

const refusing = () => {
  throw unavailable('This took too long & was <stopped>. Try again.', 5);
};
const app = testApp([
  plainRoute({ path: '/docs', policy: PUBLIC, produces: 'text/html; charset=utf-8', handle: refusing }),
  plainRoute({ path: '/app/check', policy: { ...PUBLIC, class: 'pages' }, handle: refusing }),
  plainRoute({
    path: '/app/gone.js',
    mayBeAbsent: true,
    policy: { ...PUBLIC, class: 'pages' },
    handle: () => {
      throw new ServiceError('Not Found', 'There is no such file.');
    },
  }),
  plainRoute({ path: '/stats', policy: PUBLIC, handle: refusing }),
]);
afterAll(() => app.close());

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const open = (url: string, accept: string) => app.inject({ url, headers: { accept } });

test.each(['/docs', '/app/check'])(
  '%s is a page in a browser and JSON for a program, with one status',
  async (url) => {
    const page = await open(url, BROWSER);
    expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '5']);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers['cache-control']).toBe('private, no-store');
    expect(page.body).toContain('<h1>Service unavailable</h1>');
    expect(page.body).toContain('This took too long &amp; was &lt;stopped&gt;. Try again.');
    expect(page.body).toContain(String(page.headers['x-request-id']));
    expect(page.body).not.toMatch(/src=|url\(|<script/);
    for (const accept of ['*/*', 'application/json']) {
      const answer = await open(url, accept);
      expect([answer.statusCode, answer.json().error]).toEqual([503, 'Service unavailable']);
    }
  },
);

test('a route for programs and an unknown address are JSON, also in a browser', async () => {
  for (const url of ['/stats', '/nowhere']) expect((await open(url, BROWSER)).json()).toHaveProperty('error');
});

test('a page that does not exist leads to the dashboard and the reference', async () => {
  const { statusCode, body } = await open('/app/gone.js', BROWSER);
  expect(statusCode).toBe(404);
  for (const link of ['<a href="/app/">Dashboard</a>', '<a href="/docs">API reference</a>'])
    expect(body).toContain(link);
});
