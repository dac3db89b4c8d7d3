import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeRoutes } from '#app/build-app.ts';
import { PLANS } from '#domain/plans/plans.ts';
import { renderRoutes } from '#platform/http/access-table.ts';
import { addressesOf } from '#platform/http/mounted-route.ts';

const routes = describeRoutes();

test('docs/routes.md is the access table of the routes as they are mounted', () => {
  const table = renderRoutes(routes);
  process.stdout.write(`${table}\n`);
  expect(readFileSync(join(import.meta.dirname, '../../docs/routes.md'), 'utf8')).toBe(table);
});

test('every route names a plan of the plan table, or any', () => {
  expect(routes.length).toBeGreaterThan(5);
  for (const { path, policy } of routes) expect(['any', ...PLANS], path).toContain(policy.plan);
});

test('no route that needs a credential is without a meter, unless it serves the dashboard', () => {
  for (const { method, path, policy } of routes)
    if (policy.auth !== 'public' && policy.auth !== 'session' && policy.auth !== 'signIn')
      expect(policy.meter, `${method} ${path}`).not.toBe('none');
});

test('no two routes answer the same method and address', () => {
  const addresses = routes.flatMap(addressesOf).map(({ route, template }) => `${route.method} ${template}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});
