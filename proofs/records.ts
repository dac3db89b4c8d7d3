import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROOFS } from './all-proofs.ts';
import { promisesIn } from './promises.ts';
import type { ProofRecord } from './proof.ts';
import { renderPage } from './render-page.ts';
import { UNPROVEN } from './unproven.ts';

const ROOT = join(import.meta.dirname, '..');
const RECORDS = join(ROOT, 'proofs/records.json');
export const PAGE = join(ROOT, 'docs/proofs.md');

export const readRecords = (): Record<string, ProofRecord> =>
  existsSync(RECORDS) ? (JSON.parse(readFileSync(RECORDS, 'utf8')) as Record<string, ProofRecord>) : {};

export const pageFor = (records: Readonly<Record<string, ProofRecord>>): string =>
  renderPage({
    proofs: PROOFS,
    records,
    unproven: UNPROVEN,
    promises: promisesIn(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')),
  });

/** Writes the record of one proof. Called after each proof, so that a stopped run keeps what it has shown. */
export function keepRecord(name: string, record: ProofRecord): void {
  const known = { ...readRecords(), [name]: record };
  const records = Object.fromEntries(
    PROOFS.flatMap((proof) => (known[proof.name] === undefined ? [] : [[proof.name, known[proof.name]]])),
  ) as Record<string, ProofRecord>;
  writeFileSync(RECORDS, `${JSON.stringify(records, null, 2)}\n`);
  writeFileSync(PAGE, pageFor(records));
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** The current commit, with `+` for uncommitted changes. The records do not count: a run of proofs writes them. */
export const commitNow = (): string => {
  const changed = git('status', '--porcelain', '--', '.', ':!proofs/records.json', ':!docs/proofs.md');
  return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`;
};
