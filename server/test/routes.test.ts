import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeRoutes } from '#app/build-app.ts';
import { describeOperatorRoutes } from '#app/build-operators.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { renderRoutes } from '#platform/http/access-table.ts';
import { addressesOf } from '#platform/http/mounted-route.ts';

const routes = describeRoutes();

test('docs/routes.md is the access table of the routes as mounted', () => {
  const table = renderRoutes(routes, describeOperatorRoutes());
  process.stdout.write(`${table}\n`);
  expect(readFileSync(join(import.meta.dirname, '../../docs/routes.md'), 'utf8')).toBe(table);
});

test('operators have a listener of their own, and no other routes are on it', () => {
  expect(routes.filter(({ policy }) => policy.auth === 'operator')).toEqual([]);
  expect(describeOperatorRoutes().filter(({ policy }) => policy.auth !== 'operator')).toEqual([]);
});

test('every route names a plan of the plan table, or any', () => {
  expect(routes.length).toBeGreaterThan(5);
  for (const { path, policy } of routes) expect(['any', ...PLANS], path).toContain(policy.plan);
});

/** Integrations test their keys with it, so it costs nothing (decisions 1.4). */
const FREE_OF_CHARGE = '/gate/quota';

test('every route that needs a credential has a meter, unless it serves the dashboard', () => {
  for (const { method, path, policy } of routes)
    if (
      policy.auth !== 'public' &&
      policy.auth !== 'session' &&
      policy.auth !== 'signIn' &&
      path !== FREE_OF_CHARGE
    )
      expect(policy.meter, `${method} ${path}`).not.toBe('none');
});

test('no two routes answer the same method and address', () => {
  const addresses = routes.flatMap(addressesOf).map(({ route, template }) => `${route.method} ${template}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});

/** Routes that need no credential; every other one answers 401 without one. A new line is argued for in review. */
const OPEN = [
  'lenient GET /blocklist/download/:filename',
  'optional GET /check/plain',
  'optional GET /check/stream',
  'optional GET /pwned-passwords/range/:prefix',
  'public GET /analytics',
  'public GET /auth/claim',
  'public GET /billing/plans',
  'public GET /blocklist/stats',
  'public GET /cve/stats/epss',
  'public GET /cve/stats/timeseries',
  'public GET /docs',
  'public GET /email-sequences/unsubscribe',
  'public GET /health',
  'public GET /livez',
  'public GET /newsletter/confirm',
  'public GET /openapi-actions.json',
  'public GET /openapi.json',
  'public GET /platform/status',
  'public GET /readyz',
  'public GET /stats',
  'public POST /auth/forgot',
  'public POST /auth/register',
  'public POST /auth/resend-verification',
  'public POST /auth/reset',
  'public POST /auth/sso/lookup',
  'public POST /billing/webhook',
  'public POST /contact',
  'public POST /email-sequences/unsubscribe',
  'public POST /feedback',
  'public POST /keys/instant',
  'public POST /license',
  'public POST /mail/unsubscribe',
  'public POST /newsletter',
  'public POST /newsletter/confirm',
  'signIn DELETE /auth/session',
  'signIn GET /auth/session',
  'signIn GET /auth/sso/callback',
  'signIn GET /auth/sso/start',
  'signIn POST /auth/claim',
  'signIn POST /auth/factor',
  'signIn POST /auth/login',
  'signIn POST /auth/logout',
  'signIn POST /auth/passkey',
  'signIn POST /auth/passkey/options',
  'signIn POST /auth/session',
  'signIn POST /auth/sso/session',
  'signIn POST /auth/verify',
];

test('only the routes of this list can be called without a credential', () => {
  const open = routes
    .filter(({ policy }) => !['key', 'session', 'keyOrSession'].includes(policy.auth))
    .map(({ method, path, policy }) => `${policy.auth} ${method} ${path}`);
  expect(open.toSorted()).toEqual(OPEN);
});
