import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { keepResult } from '../support/proof-results.ts';
import type { WalkReport } from './readme-walk/walk-child.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CHILD = join(import.meta.dirname, 'readme-walk/walk-child.ts');
const OUTPUT_MAX = 16 * 1024 * 1024;
const run = promisify(execFile);

test('every command of README runs on a clean clone without a network and prints what README says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-readme-'));
  try {
    const clone = join(folder, 'assay');
    execFileSync('git', ['clone', '--quiet', ROOT, clone]);
    // The only step that needs a network: packages come from the registry.
    await run('npm', ['ci', '--no-progress'], {
      cwd: clone,
      maxBuffer: OUTPUT_MAX,
      env: { ...process.env, PATH: systemPath() },
    });
    const { stdout } = await run('unshare', ['--net', process.execPath, CHILD, clone], {
      maxBuffer: OUTPUT_MAX,
      // Settings of the shell that runs the proofs must not reach the commands of a newcomer.
      env: { PATH: systemPath(), HOME: folder, TMPDIR: process.env.TMPDIR, LANG: 'C.UTF-8' },
    });
    const report = JSON.parse(
      stdout.split('\n').findLast((line) => line.startsWith('{')) ?? '',
    ) as WalkReport;
    keepResult('readme-walk', report.figures);
    expect(report.problems).toEqual([]);
    expect(report.figures.blocks).toBeGreaterThan(5);
    expect(report.figures.longestSilenceSeconds).toBeLessThanOrEqual(15);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The PATH of a person, without the programs that npm puts before it: Node is the one of the machine. */
const systemPath = (): string =>
  (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':');
