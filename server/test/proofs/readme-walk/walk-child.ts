import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgresServer } from '../../support/postgres-server.ts';
import {
  commandLines,
  missingLine,
  type ReadmeStep,
  readmeSteps,
  serviceOf,
} from '../../support/readme-steps.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { startTerminal, type Terminal } from './terminal.ts';

/** What the walk found: a sentence for each command that failed or printed something else, and its figures. */
export type WalkReport = {
  readonly problems: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
};

/** Commands that need a network, run before this process by the test. */
const BEFORE = [/^git clone /, /^npm ci$/];
const READY_WITHIN_MS = 600_000;
const COMMAND_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 120_000;

const clone = process.argv[2] ?? '';
const problems: string[] = [];
const figures: Record<string, number> = { blocks: 0, commands: 0, longestSilenceSeconds: 0 };
const note = (line: string) => process.stderr.write(`${line}\n`);

// A network of its own: its ports are free, so the commands run with the defaults that README describes.
execFileSync('ip', ['link', 'set', 'lo', 'up']);
const postgres = await startPostgresServer({ port: 5432 });
const redis = await startRedisServer('--port', '6379');
const shell = startTerminal(clone);
const running: { service: Terminal | null } = { service: null };
try {
  for (const step of readmeSteps(readFileSync(join(clone, 'README.md'), 'utf8'))) await walk(step);
  await stopService();
} finally {
  await shell.end();
  await running.service?.end();
  await redis.stop();
  await postgres.stop();
}
process.stdout.write(`${JSON.stringify({ problems, figures } satisfies WalkReport)}\n`);

async function walk(step: ReadmeStep): Promise<void> {
  const name = serviceOf(step);
  const commands = commandLines(step.commands).filter(
    (line) => !BEFORE.some((pattern) => pattern.test(line)),
  );
  if (commands.length === 0) return;
  figures.blocks = (figures.blocks ?? 0) + 1;
  figures.commands = (figures.commands ?? 0) + commands.length;
  note(`README line ${step.line}: ${commands.join(' ; ')}`);
  if (name === null) await runInShell(step, commands);
  else await startService(step, commands.join('\n'), name);
}

async function runInShell(step: ReadmeStep, commands: readonly string[]): Promise<void> {
  for (const command of commands.slice(0, -1))
    report(step, command, [], await shell.run(command, COMMAND_WITHIN_MS));
  const last = commands.at(-1) ?? '';
  report(step, last, step.expected, await shell.run(last, COMMAND_WITHIN_MS));
}

type Printed = Awaited<ReturnType<Terminal['run']>>;

function report(
  step: ReadmeStep,
  command: string,
  expected: readonly string[],
  { output, status }: Printed,
): void {
  note(output.slice(-2_000));
  if (status !== 0)
    problems.push(`README line ${step.line}: '${command}' ended with ${status}: ${output.slice(-1_000)}`);
  const missing = missingLine(expected, output);
  if (missing !== null)
    problems.push(
      `README line ${step.line}: '${command}' does not print '${missing}' but: ${output.slice(-2_000)}`,
    );
}

/** Starts a command that runs until it is stopped, and waits for the last line that README shows of it. */
async function startService(step: ReadmeStep, command: string, name: string): Promise<void> {
  await stopService();
  const startedAt = performance.now();
  const started = startTerminal(clone);
  running.service = started;
  started.type(`exec ${command}`);
  const last = step.expected.findLast((line) => line.trim() !== '');
  if (last === undefined) {
    problems.push(`README line ${step.line}: README does not say what '${name}' prints when it is ready`);
    return;
  }
  const isReady = await started.until((output) => missingLine([last], output) === null, READY_WITHIN_MS);
  const output = started.output();
  note(output.slice(-4_000));
  if (!isReady) problems.push(`README line ${step.line}: '${name}' was not ready: ${output.slice(-3_000)}`);
  const missing = missingLine(step.expected, output);
  if (missing !== null) problems.push(`README line ${step.line}: '${name}' does not print '${missing}'`);
  const key = name.replaceAll(/\W+/g, '-');
  figures[`${key}Seconds`] = (performance.now() - startedAt) / 1_000;
  figures[`${key}CpuSeconds`] = started.cpuSeconds();
  figures[`${key}MemoryMb`] = started.memoryMb();
  figures.longestSilenceSeconds = Math.max(
    figures.longestSilenceSeconds ?? 0,
    started.longestSilenceMs() / 1_000,
  );
  // README asks the reader to paste this line into a second terminal.
  const pasted = output.split('\n').findLast((line) => line.trim().startsWith('export ASSAY_KEY='));
  if (pasted !== undefined) await shell.run(pasted.trim(), COMMAND_WITHIN_MS);
}

async function stopService(): Promise<void> {
  const { service } = running;
  if (service === null) return;
  service.interrupt();
  if (!(await service.ended(STOP_WITHIN_MS))) problems.push('Ctrl-C does not stop the service');
  const left = processesLeft();
  if (left !== '') problems.push(`Ctrl-C leaves processes behind: ${left}`);
  running.service = null;
}

/** Command lines of processes that still run from the clone. */
function processesLeft(): string {
  const lines = readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name)
        ? [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()]
        : [];
    } catch {
      // It ended between the listing and the reading.
      return [];
    }
  });
  return lines.filter((line) => line.includes(`${clone}/`) && !line.includes('walk-child')).join('\n');
}
