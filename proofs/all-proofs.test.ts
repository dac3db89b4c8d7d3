import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG_LANE } from '../test/long-lane.ts';
import { PROOFS } from './all-proofs.ts';
import { promisesIn } from './promises.ts';
import { filesOf } from './proof.ts';
import { PAGE, pageFor, readRecords } from './records.ts';
import { UNPROVEN } from './unproven.ts';

const ROOT = join(import.meta.dirname, '..');
const promises = promisesIn(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'));
const proven = new Set(PROOFS.flatMap(({ promises }) => promises));
const named = PROOFS.flatMap(filesOf);

test('every promise has a proof, or is named as unproven with what is missing', () => {
  expect(promises.length).toBeGreaterThan(20);
  expect(promises.filter((id) => !proven.has(id) && UNPROVEN[id] === undefined)).toEqual([]);
});

test('no proof and no gap names a promise that ARCHITECTURE.md does not have', () => {
  expect([...proven, ...Object.keys(UNPROVEN)].filter((id) => !promises.includes(id))).toEqual([]);
});

test('a promise that has a proof is not listed as a gap', () => {
  expect(Object.keys(UNPROVEN).filter((id) => proven.has(id))).toEqual([]);
});

test('names of proofs are distinct, and every file of a proof exists', () => {
  expect(new Set(PROOFS.map(({ name }) => name)).size).toBe(PROOFS.length);
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('every test file of the proofs lane, and every engine test with a full form, belongs to a proof', () => {
  const inThisLane = globSync('{server,web}/test/proofs/**/*.test.ts', { cwd: ROOT });
  const withFullForm = globSync(
    ['{server,web}/test/**/*.test.ts', 'server/src/**/*.{engine,store,routes}.test.ts'],
    {
      cwd: ROOT,
    },
  ).filter((file) => /\b(?:bySize|IS_FULL_SIZE)\b/.test(readFileSync(join(ROOT, file), 'utf8')));
  const isNamed = (file: string) => named.some((each) => file === each || file.startsWith(`${each}/`));
  expect([...inThisLane, ...withFullForm].filter((file) => !isNamed(file))).toEqual([]);
});

test('what the landing lane leaves out exists, belongs to a proof and says what the landing lane has instead', () => {
  const left = Object.entries(LONG_LANE);
  expect(left.filter(([file]) => !existsSync(join(ROOT, file)) || !named.includes(file))).toEqual([]);
  expect(left.filter(([, instead]) => instead.length < 20)).toEqual([]);
});

test('docs/proofs.md is what the runner writes for the records that are kept', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(pageFor(readRecords()));
});
