import { parseArgs } from 'node:util';
import { PROOFS } from './all-proofs.ts';
import { createGraph, digestOf } from './import-graph.ts';
import { filesOf, type Proof } from './proof.ts';
import { commitNow, keepRecord, readRecords } from './records.ts';
import { runProof } from './run-proof.ts';

/**
 * npm run proofs                  every proof at full size
 * npm run proofs -- --changed     those whose code changed since their last passed record
 * npm run proofs -- --only NAME   one of them; may be repeated
 * npm run proofs -- --list        what would run, and when each last ran
 */
const { values: flags } = parseArgs({
  options: {
    changed: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
  },
});

/** Files that set up the engine tests; they belong to every proof, whatever its own files import. */
const ALWAYS = ['server/test/support/global-setup.ts', 'vitest.config.ts'];
const reach = createGraph();
const digest = (proof: Proof): string => digestOf(reach([...filesOf(proof), ...ALWAYS]));

const unknown = flags.only?.filter((name) => !PROOFS.some((proof) => proof.name === name)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(
    `There is no proof '${unknown.join("', '")}'. 'npm run proofs -- --list' names them.\n`,
  );
  process.exit(2);
}

const records = readRecords();
const isDue = (proof: Proof): boolean => {
  const record = records[proof.name];
  return record === undefined || !record.passed || record.digest !== digest(proof);
};
const chosen = PROOFS.filter((proof) => flags.only?.includes(proof.name) ?? (!flags.changed || isDue(proof)));

if (flags.list) {
  for (const proof of chosen) {
    const record = records[proof.name];
    const last = record === undefined ? 'never' : `${record.date} ${record.commit} ${record.seconds} s`;
    process.stdout.write(`${proof.name.padEnd(28)} ${isDue(proof) ? 'due ' : 'held'} ${last}\n`);
  }
  process.exit(0);
}

const failed: string[] = [];
for (const [nth, proof] of chosen.entries()) {
  process.stdout.write(`\n== ${nth + 1} of ${chosen.length}: ${proof.name}: ${proof.shows}\n`);
  const [commit, before] = [commitNow(), digest(proof)];
  const outcome = await runProof(proof);
  const date = new Date().toISOString().slice(0, 10);
  keepRecord(proof.name, { ...outcome, date, commit, digest: before });
  process.stdout.write(`== ${proof.name} ${outcome.passed ? 'passed' : 'FAILED'} in ${outcome.seconds} s\n`);
  if (!outcome.passed) failed.push(proof.name);
}
process.stdout.write(`\n${chosen.length - failed.length} of ${chosen.length} proofs passed\n`);
for (const name of failed) process.stdout.write(`failed: ${name} (npm run proofs -- --only ${name})\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
