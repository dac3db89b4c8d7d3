import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { LoadedPasswords } from '#capabilities/passwords/index.ts';

const SCRIPT = join(import.meta.dirname, 'password-loader-process.ts');

export type LoadRun = {
  readonly loaded: LoadedPasswords;
  readonly seconds: number;
  readonly verifySeconds: number;
  readonly cpuSeconds: number;
  readonly memoryMb: number;
};
export type LoadStep = { readonly step: 'reading' | 'verifying'; readonly share: number };
export type LoadArguments = {
  readonly dataDir: string;
  readonly paths: readonly string[];
  readonly type?: 'sha1' | 'ntlm';
  readonly first?: number;
  readonly last?: number;
};

/** A load in a process of its own. `onStep` may kill it; then the answer is null. */
export function runLoader(
  { dataDir, paths, type = 'sha1', first = 0, last = 0xf_ffff }: LoadArguments,
  onStep: (step: LoadStep, child: ChildProcess) => void = () => undefined,
): Promise<LoadRun | null> {
  const args = [dataDir, type, String(first), String(last), ...paths];
  return new Promise((resolve, reject) => {
    const child = fork(SCRIPT, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    let run: LoadRun | null = null;
    child.on('message', (message: LoadRun | LoadStep) => {
      if ('loaded' in message) run = message;
      else onStep(message, child);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(run);
      else reject(new Error(`The loader ended with ${code ?? signal}.`));
    });
  });
}
