import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoError } from '../cli-options.ts';

export type Engine = {
  readonly url: string;
  readonly isOwn: boolean;
  readonly pid: number | null;
  readonly stop: () => Promise<void>;
};

const foundEngine = (url: string): Engine => ({
  url,
  isOwn: false,
  pid: null,
  stop: () => Promise.resolve(),
});

/** The server that the variable names, else the default one on this machine, else a new one. */
export async function findOrStart(
  {
    variable,
    usual,
    problemOf,
    start,
  }: {
    readonly variable: 'DATABASE_URL' | 'REDIS_URL';
    readonly usual: string;
    readonly problemOf: (url: string) => Promise<string | null>;
    readonly start: () => Promise<Engine>;
  },
  given: string | undefined,
): Promise<Engine> {
  const url = given === undefined || given === '' ? usual : given;
  const problem = await problemOf(url);
  if (problem === null) return foundEngine(url);
  if (url === given)
    throw new DemoError(
      `${variable} is set, but that server cannot be used: ${problem} Fix it, or unset ${variable} and the demonstration starts its own server.`,
    );
  return start();
}

/** Marks a server as ours, so that the next demonstration can recognise leftovers of a killed one. */
export const markedEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ASSAY_DEMO_FOLDER: folder,
});

const POLL_MS = 50;

export async function untilAnswers(
  child: ChildProcess,
  what: string,
  withinMs: number,
  answers: () => Promise<boolean>,
  logOf: () => string,
): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await answers())) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > endMs) {
      child.kill('SIGKILL');
      throw new DemoError(`${what} did not start. Its last log lines:\n${logOf().trim().slice(-1_500)}`);
    }
    await sleep(POLL_MS);
  }
}

export async function endChild(child: ChildProcess, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(kill);
}
