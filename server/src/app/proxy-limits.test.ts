import { expect, test } from 'vitest';
import { z } from 'zod';
import { POLICY, plainRoute } from '#test/http-app.ts';
import { nginxSections, proxyLimitsOf } from './proxy-limits.ts';

const routes = [
  plainRoute({ path: '/short', policy: { ...POLICY, deadlineMs: 10_000 } }),
  plainRoute({ path: '/longest', policy: { ...POLICY, deadlineMs: 45_000 } }),
  plainRoute({ path: '/file/:name.bin', policy: { ...POLICY, surface: 'web', deadlineMs: 600_000 } }),
  plainRoute({ path: '/events', policy: { ...POLICY, surface: 'api' }, produces: 'text/event-stream' }),
  plainRoute({ path: '/mail', method: 'POST', body: z.string(), policy: { ...POLICY, bodyMax: 2_500_000 } }),
  plainRoute({ path: '/unread', policy: { ...POLICY, bodyMax: 99_000_000 } }),
];

test('the limits of a proxy are those of the routes', () => {
  const limits = proxyLimitsOf(routes);
  expect(limits).toMatchObject({ bodyMaxMib: 3, bodyRoute: 'POST /mail', answerMaxS: 45, slowMaxS: 600 });
  expect(nginxSections(limits).limits).toEqual(
    expect.arrayContaining(['client_max_body_size 3m;', 'proxy_read_timeout 50s;']),
  );
  const slow = new RegExp(limits.slowPaths);
  expect(
    ['/api/file/a.bin', '/file/a.bin', '/api/file/a/b.bin', '/api/file/abin'].map((path) => slow.test(path)),
  ).toEqual([true, false, false, false]);
  const streams = new RegExp(limits.streamPaths);
  expect(['/events', '/api/events', '/events/x'].map((path) => streams.test(path))).toEqual([
    true,
    false,
    false,
  ]);
});
