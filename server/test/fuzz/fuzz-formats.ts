import { parseArgs } from 'node:util';
import { runFuzz } from './fuzz-run.ts';

/**
 * `npm run fuzz -- --seconds 600 [--seed 7]`: gives mutated texts to every parser and damaged archives to the
 * reader.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const report = await runFuzz({ seconds: Number(values.seconds), seed, save: true });

const total = Object.values(report.executions).reduce((sum, each) => sum + each, 0);
console.log(`${total} executions in ${report.seconds.toFixed(0)} s, seed ${report.seed}`);
for (const [target, executions] of Object.entries(report.executions).sort(([a], [b]) => a.localeCompare(b))) {
  const failed = report.failures.filter((failure) => failure.target === target);
  console.log(
    `  ${target.padEnd(18)} ${String(executions).padStart(9)} ${failed.length === 0 ? '' : 'FAILED'}`,
  );
  for (const { what, savedAs } of failed) console.log(`    ${what}\n    saved as ${savedAs}`);
}
process.exitCode = report.failures.length === 0 ? 0 : 1;
