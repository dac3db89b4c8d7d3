import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import type { Goal, Proof } from './proof.ts';

const ROOT = join(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** A printed `figure NAME VALUE` or `ratio NAME VALUE`; Vitest may indent and colour the line. */
const FIGURE = /(?:^|\s)(?:figure|ratio) ([\w.-]+) (-?\d+(?:\.\d+)?)\s*$/;

/** The count of tests that Vitest prints at its end: `Tests  2 failed | 5 passed (7)`. */
const TESTS_RAN = /^\s*Tests\s.*\d (?:passed|failed)/;
export const countsTests = (line: string): boolean => TESTS_RAN.test(stripVTControlCharacters(line));

export type Outcome = {
  readonly passed: boolean;
  readonly seconds: number;
  readonly figures: Readonly<Record<string, number>>;
};

/** Runs one proof in a process of its own, passes its output on, and collects its figures. */
export async function runProof(proof: Proof): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, argumentsOf(proof), {
    cwd: ROOT,
    env: { ...process.env, ASSAY_LANE: 'proofs', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const figures: Record<string, number> = {};
  let hasRun = proof.run.kind === 'program';
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    const [, name, value] = FIGURE.exec(line) ?? [];
    if (name !== undefined) figures[name] = Number(value);
    hasRun ||= countsTests(line);
  }
  // Tests are skipped where the data or the program they need is absent; that proves nothing.
  if (!hasRun) process.stdout.write(`No test of ${proof.name} ran: see in its files what they need.\n`);
  const missed = proof.run.kind === 'program' ? missedGoals(proof.run.goals ?? {}, figures) : [];
  for (const sentence of missed) process.stdout.write(`${sentence}\n`);
  const passed = (await exitCodeOf(child)) === 0 && hasRun && missed.length === 0;
  return { passed, figures, seconds: Math.round((performance.now() - startedAt) / 1_000) };
}

export const missedGoals = (
  goals: Readonly<Record<string, Goal>>,
  figures: Readonly<Record<string, number>>,
): readonly string[] =>
  Object.entries(goals).flatMap(([name, goal]) => {
    const value = figures[name];
    if (value === undefined) return [`The figure ${name} was not printed.`];
    if ('atLeast' in goal)
      return value >= goal.atLeast ? [] : [`${name} is ${value}; at least ${goal.atLeast} was asked.`];
    return value <= goal.atMost ? [] : [`${name} is ${value}; at most ${goal.atMost} was asked.`];
  });

const argumentsOf = ({ run }: Proof): string[] =>
  run.kind === 'program'
    ? [run.file, ...run.args]
    : [VITEST, 'run', '--project', run.project, ...run.files.map((file) => join(ROOT, file))];

const exitCodeOf = (child: ChildProcess): Promise<number | null> =>
  child.exitCode === null && child.signalCode === null
    ? new Promise((resolve) => child.once('exit', resolve))
    : Promise.resolve(child.exitCode);
