import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/operating/metrics.md'), 'utf8');
const sources = globSync('server/src/**/*.ts', { cwd: ROOT, exclude: (path) => path.endsWith('.test.ts') })
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

describe('docs/operating/metrics.md', () => {
  const named = [...new Set([...page.matchAll(/\bassay_([a-z0-9_]+)/g)].map(([, name = '']) => name))];

  test('every series that it names exists', () => {
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  });

  test('its alarms use absent() only with a series that is there from the start', () => {
    const absent = [...page.matchAll(/absent\((\w+)\)/g)].map(([, name]) => name);
    expect(absent).toEqual(['assay_http_answers_total']);
  });
});
