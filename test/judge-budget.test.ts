import { expect, test } from 'vitest';
import { type Budget, overspent, slownessOf, staleLines, sumByProject } from './judge-budget.ts';

const budget: Budget = { shared: 1, projects: { integration: { 'a.test.ts': 10, 'b.test.ts': 20 } } };
const cost = (file: string, cpuSeconds: number, slowness = 1) => ({
  project: 'integration',
  file,
  cpuSeconds,
  slowness,
});

test('a file within one and a half budgets passes, and one above fails with its own sentence', () => {
  expect(overspent(budget, [cost('a.test.ts', 15), cost('b.test.ts', 30)])).toEqual([]);
  const [sentence, ...others] = overspent(budget, [cost('a.test.ts', 15.1), cost('b.test.ts', 3)]);
  expect(others).toEqual([]);
  expect(sentence).toMatch(/^a\.test\.ts used 15\.1 CPU seconds of its budget of 10 /);
  expect(sentence).toContain('test/budget.json');
});

test('on a machine that makes every file dearer, only the file that is dearer than the others is at fault', () => {
  const names = Array.from({ length: 11 }, (_, i) => `${i}.test.ts`);
  const wide: Budget = {
    shared: 1,
    projects: { integration: Object.fromEntries(names.map((n) => [n, 10])) },
  };
  const slow = names.map((name) => cost(name, 18));
  expect(slownessOf(wide, slow)).toBe(1.8);
  expect(overspent(wide, slow)).toEqual([]);
  expect(overspent(wide, [...slow.slice(1), cost('0.test.ts', 28)])).toHaveLength(1);
  expect(
    slownessOf(
      wide,
      names.map((name) => cost(name, 3)),
    ),
  ).toBe(1);
});

test('a file is judged by the speed of the machine while it ran', () => {
  expect(overspent(budget, [cost('a.test.ts', 29, 2)])).toEqual([]);
  expect(overspent(budget, [cost('a.test.ts', 31, 2)])).toHaveLength(1);
});

test('a file without a line has the default budget', () => {
  expect(overspent(budget, [cost('new.test.ts', 7.9)])).toEqual([]);
  expect(overspent(budget, [cost('new.test.ts', 8.1)])).toHaveLength(1);
});

test('a line for a file that did not run is named, unless its whole project did not run', () => {
  expect(staleLines(budget, [cost('a.test.ts', 1)])).toEqual([
    'test/budget.json names b.test.ts in integration, which did not run. Remove the line.',
  ]);
  expect(staleLines(budget, [{ project: 'unit', file: 'u.test.ts', cpuSeconds: 1, slowness: 1 }])).toEqual(
    [],
  );
});

test('projects are summed beside their budgets', () => {
  expect(sumByProject(budget, [cost('a.test.ts', 3), cost('c.test.ts', 2)])).toEqual([
    { project: 'integration', files: 2, cpuSeconds: 5, budgetSeconds: 14 },
  ]);
});
