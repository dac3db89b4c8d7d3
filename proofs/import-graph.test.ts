import { expect, test } from 'vitest';
import { createGraph, createResolver, digestOf } from './import-graph.ts';

test('specifiers resolve by path, by import alias and by package name; foreign packages do not', () => {
  const resolve = createResolver();
  expect(resolve('server/test/faults/x.test.ts', '../support/service.ts')).toBe(
    'server/test/support/service.ts',
  );
  expect(resolve('server/src/app/main.ts', '#platform/migrate.ts')).toBe('server/src/platform/migrate.ts');
  expect(resolve('web/src/x.ts', '@assay/server/csv')).toBe('server/src/domain/text/csv.ts');
  expect(resolve('server/src/app/main.ts', 'fastify')).toBeNull();
});

test('a test that starts the service as a process reaches its modules and its migrations', () => {
  const reached = createGraph()(['server/test/integration/revocation.test.ts']);
  expect(reached).toContain('server/test/support/service.ts');
  expect(reached).toContain('server/src/app/main.ts');
  expect(reached).toContain('server/src/domain/scoring/model.ts');
  expect(reached).toContain('server/src/capabilities/metering/meter.lua');
  expect(reached.filter((file) => file.startsWith('server/migrations/')).length).toBeGreaterThan(10);
});

test('a folder stands for its tests, so that a proof of a folder has a digest', () => {
  const reached = createGraph()(['sdk']);
  expect(reached).not.toContain('sdk');
  expect(reached).toContain('sdk/src/webhook.ts');
  expect(reached.some((file) => file.includes('node_modules'))).toBe(false);
  expect(digestOf(reached)).toMatch(/^[0-9a-f]{16}$/);
});

test('the digest of a set of files depends on each of them', () => {
  const both = ['proofs/import-graph.ts', 'proofs/promises.ts'];
  expect(digestOf(both)).toBe(digestOf(both));
  expect(digestOf(both)).not.toBe(digestOf(both.slice(1)));
});
