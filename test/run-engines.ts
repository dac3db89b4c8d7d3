import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { startPostgresServer } from '../server/test/support/postgres-server.ts';
import { bundleForTests } from '../server/test/support/test-bundle.ts';

/**
 * npm run test:engines: the engine tests and the browser tests of the landing lane, beside each other. Both wait for
 * processes, engines and pages about as long as they compute, so that one after the other leaves half of two cores idle.
 * Browser tests run one file at a time: they go first where both want a core, or they would end alone minutes later.
 *
 * They have a PostgreSQL of their own that does not wait for the disk: dropping a database of a test took 1 to 3 s on a
 * durable one, which synchronizes the thousand files of every new database first, and takes 20 ms on this one. Its files are
 * in memory where there is room: ext4 spent a fifteenth of the lane's CPU time on finding inodes for new databases.
 */
const ROOT = join(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const MEMORY_DISK = '/dev/shm';
/** A run keeps less than 2 GiB there: a dozen databases at a time, and the log of PostgreSQL. */
const MEMORY_DISK_FREE_BYTES = 6 * 1024 ** 3;
// Before PostgreSQL, so that a source that cannot be bundled leaves no server running.
const testMain = await bundleForTests();
const isOurs = process.env.TEST_POSTGRES_URL === undefined;
const dir = isOurs && hasRoom(MEMORY_DISK) ? mkdtempSync(join(MEMORY_DISK, 'assay-postgres-')) : undefined;
const postgres = isOurs ? await startPostgresServer(dir === undefined ? {} : { dir }) : undefined;
const env = {
  ...process.env,
  ...(postgres !== undefined && { TEST_POSTGRES_URL: postgres.url('').replace(/\/$/, '') }),
  ASSAY_TEST_MAIN: testMain,
  ASSAY_BUDGET: 'enforce',
  // Both runs use one seed, so that one number repeats them.
  ASSAY_SEED: process.env.ASSAY_SEED ?? String(Math.floor(Math.random() * 2 ** 31)),
};

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopPostgres().finally(() => process.exit(1)));

/** The niceness of the engine tests; the processes they start inherit it. */
const BEHIND_THE_BROWSER = 5;

type Run = { readonly project: string; readonly code: number | null; readonly output: string };

/** A line that names a failed test, a failed file, its error or a broken budget. */
const FAULT = /^(?: FAIL |budget: |.*Unhandled |\w*Error: )/;

/** Only one of the two runs prints live; the caller prints the other one afterwards, so that their lines do not mix. */
function run(project: string, isLive: boolean): Promise<Run> {
  const child = spawn(process.execPath, [VITEST, 'run', '--project', project], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (isLive && child.pid !== undefined) setPriority(child.pid, BEHIND_THE_BROWSER);
  const kept: Buffer[] = [];
  const keep = (chunk: Buffer): void => {
    kept.push(chunk);
    if (isLive) process.stdout.write(chunk);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ project, code, output: Buffer.concat(kept).toString() }));
  });
}

const [engines, browser] = await Promise.all([run('integration', true), run('browser', false)]);
await stopPostgres();
process.stdout.write(browser.output);
for (const { project, code, output } of [engines, browser]) {
  process.stdout.write(`${project}: ${code === 0 ? 'passed' : `FAILED with exit code ${code}`}\n`);
  // The reports have thousands of lines, so failures are repeated at the end, where a reader looks first.
  const faults = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => FAULT.test(line));
  for (const fault of new Set(faults)) process.stdout.write(`  ${fault.trim()}\n`);
}
process.exitCode = [engines, browser].every(({ code }) => code === 0) ? 0 : 1;

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > MEMORY_DISK_FREE_BYTES;
}

async function stopPostgres(): Promise<void> {
  await postgres?.stop();
  if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
}
