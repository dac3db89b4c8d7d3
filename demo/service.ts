import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoError } from './cli-options.ts';
import { endChild } from './engines/engine.ts';

const MAIN = join(import.meta.dirname, '../server/src/app/main.ts');
/** The API logs each request to /readyz, at least every few seconds while it is alive. */
const SILENT_MAX_MS = 180_000;
const STOP_GRACE_MS = 40_000;
const POLL_MS = 100;
const ASK_TIMEOUT_MS = 10_000;

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

/** Waits until the node answers. */
export const untilReady = (api: Part, url: string, logFile: string, signal: AbortSignal): Promise<void> =>
  until({ api, logFile, signal }, () => isOk(`${url}/readyz`));

/** Waits until the node knows the key, which reaches it through replication. */
export const untilAnswered = (
  api: Part,
  url: string,
  header: string,
  logFile: string,
  signal: AbortSignal,
): Promise<void> =>
  until({ api, logFile, signal }, () => isOk(`${url}/org/indicators?limit=1`, { 'x-api-key': header }));

type Waiting = { readonly api: Part; readonly logFile: string; readonly signal: AbortSignal };

/** A slow machine may take any time; a process that has ended, or writes nothing for minutes, is not going to get ready. */
async function until(
  { api: { child }, logFile, signal }: Waiting,
  isReached: () => Promise<boolean>,
): Promise<void> {
  let endMs = performance.now() + SILENT_MAX_MS;
  let written = 0;
  while (!(await isReached())) {
    signal.throwIfAborted();
    const { size } = statSync(logFile);
    if (size > written) endMs = performance.now() + SILENT_MAX_MS;
    written = size;
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > endMs)
      throw new DemoError(
        `The API did not get ready. Its last log lines:\n${readFileSync(logFile, 'utf8').trim().slice(-2_000)}`,
      );
    await sleep(POLL_MS);
  }
}

async function isOk(url: string, headers: Environment = {}): Promise<boolean> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}
