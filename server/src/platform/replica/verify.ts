import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { dataFile } from './generations.ts';
import type { Head } from './head.ts';

export type Verdict =
  | { readonly ok: true; readonly head: Head }
  | { readonly ok: false; readonly reason: string };

const CHILD = join(import.meta.dirname, 'verify-child.ts');
/**
 * A scan reads hundreds of MB a second. One that takes more than a minute and a second for each 2 MB is stuck. It is
 * ended, and the generation is built again.
 */
const START_MS = 60_000;
const BYTES_PER_MS = 2_000;

/**
 * Reads the whole generation in a separate process (foundation rule 5), so that a file that crashes LMDB only crashes
 * that process. Every result except a full match is a failure.
 */
export function verifyGeneration(folder: string): Promise<Verdict> {
  return new Promise((resolve) => {
    const child = fork(CHILD, [folder], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let verdict: Verdict | null = null;
    const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs(folder));
    child.on('message', (message: Verdict) => {
      verdict = message;
      // The result has arrived, so the process need not end by itself.
      child.kill('SIGKILL');
    });
    child.on('error', (error) =>
      settle({ ok: false, reason: `the verifier did not start: ${error.message}` }),
    );
    child.on('exit', (code, signal) =>
      settle(verdict ?? { ok: false, reason: `the verifier ended with ${signal ?? `code ${code}`}` }),
    );

    function settle(result: Verdict): void {
      clearTimeout(deadline);
      resolve(result);
    }
  });
}

function deadlineMs(folder: string): number {
  const { size } = statSync(dataFile(folder), { throwIfNoEntry: false }) ?? { size: 0 };
  return START_MS + size / BYTES_PER_MS;
}
