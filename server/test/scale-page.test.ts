import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CheckResults, withCheckFigures } from '../../bench/support/scale-page.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const page = read('docs/operating/scale.md');
const results = JSON.parse(read('bench/results/check.json')) as CheckResults;

test('scale.md quotes the last run of bench:check, and computes with the same CPU time a request', () => {
  expect(withCheckFigures(page, results)).toBe(page);
});

test('other measurements give another page', () => {
  const listed = results['check-listed'];
  const slower = { ...listed, default: { ...listed.default, cpuUs: listed.default.cpuUs * 10 } };
  expect(withCheckFigures(page, { ...results, 'check-listed': slower })).not.toBe(page);
});

test('a page without the generated parts is refused', () => {
  expect(() => withCheckFigures('# Growing\n', results)).toThrow('scale.md has no part between');
});
