import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Head } from './head.ts';

export type Verdict =
  | { readonly ok: true; readonly head: Head }
  | { readonly ok: false; readonly reason: string };

const CHILD = join(import.meta.dirname, 'verify-child.ts');
/** 3 M entries take seconds, 100 M minutes; something that takes longer is stuck. */
const DEADLINE_MS = 1_800_000;

/**
 * Foundation rule 5: reads the whole generation in a process of its own, so that a file which would crash LMDB crashes
 * nobody. Anything but a clean "it matches" is a no.
 */
export function verifyGeneration(folder: string): Promise<Verdict> {
  return new Promise((resolve) => {
    const child = fork(CHILD, [folder], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let verdict: Verdict | null = null;
    const deadline = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
    child.on('message', (message: Verdict) => {
      verdict = message;
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
