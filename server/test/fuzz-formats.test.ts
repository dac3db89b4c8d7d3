import { expect, test } from 'vitest';
import { runFuzz } from './fuzz/fuzz-run.ts';
import { TARGETS } from './fuzz/fuzz-targets.ts';

test('no mutated text breaks a parser and no damaged archive breaks the reader (3 seconds; `npm run fuzz` for longer)', {
  timeout: 60_000,
}, async () => {
  const report = await runFuzz({ seconds: 3, seed: 20_260_820, save: false });
  expect(report.failures).toEqual([]);
  expect(Object.keys(report.executions).sort()).toEqual([...Object.keys(TARGETS), 'containers'].sort());
});
