import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DemoError } from './cli-options.ts';
import { endChild } from './engines/engine.ts';

const MAIN = join(import.meta.dirname, '../server/src/app/main.ts');
const READY_WITHIN_MS = 60_000;
const STOP_GRACE_MS = 40_000;
const POLL_MS = 100;
const ASK_TIMEOUT_MS = 3_000;
const run = promisify(execFile);

export type Environment = Readonly<Record<string, string>>;
export type Part = {
  readonly child: ChildProcess;
  readonly pid: number | null;
  readonly stop: () => Promise<void>;
};

/** Variables of an Assay deployment in the shell must not reach the demonstration. */
const environmentOf = (env: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  TMPDIR: process.env.TMPDIR,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  ...env,
});

export function startPart(command: 'api' | 'worker', env: Environment, logFile: string): Part {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [MAIN, command], {
    env: environmentOf(env),
    stdio: ['ignore', log, log],
  });
  return { child, pid: child.pid ?? null, stop: () => endChild(child, 'SIGTERM', STOP_GRACE_MS) };
}

export async function admin<T>(env: Environment, args: readonly string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [MAIN, 'admin', ...args, '--json'], {
    env: environmentOf(env),
  });
  return JSON.parse(stdout) as T;
}

/** Ready when the node answers and knows the key, which reaches it through replication. */
export async function untilReady(
  { child }: Part,
  url: string,
  header: string,
  logFile: string,
  signal: AbortSignal,
): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS;
  const isReady = async () =>
    (await statusOf(`${url}/readyz`)) === 200 &&
    (await statusOf(`${url}/check?query=203.0.114.7`, { 'x-api-key': header })) === 200;
  while (!(await isReady())) {
    signal.throwIfAborted();
    if (child.exitCode !== null || performance.now() > endMs)
      throw new DemoError(
        `The API did not get ready. Its last log lines:\n${readFileSync(logFile, 'utf8').trim().slice(-2_000)}`,
      );
    await sleep(POLL_MS);
  }
}

export async function statusOf(url: string, headers: Environment = {}): Promise<number> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}
