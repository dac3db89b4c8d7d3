import { parseArgs } from 'node:util';
import { fuzzMail } from './fuzz-mail-run.ts';

/** `npm run fuzz:mail -- --seconds 1800 [--seed 7]`: gives mutated messages to the reader and the judge of mail. */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const { executions, slowestMs, failures } = await fuzzMail({
  seconds: Number(values.seconds),
  seed,
  save: true,
});
console.log(`${executions} messages, the slowest in ${Math.round(slowestMs)} ms, seed ${seed}`);
console.log(`figure mail-fuzzed.messages ${executions}`);
for (const failure of failures) console.log(`FAILED ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
