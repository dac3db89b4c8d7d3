import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoError } from '../cli-options.ts';

/** A server the demonstration works on. */
export type Engine = {
  readonly url: string;
  /** True: the demonstration started it and stops it. */
  readonly isOwn: boolean;
  readonly pid: number | null;
  readonly stop: () => Promise<void>;
};

/** A server that was there before: left as it is. */
const foundEngine = (url: string): Engine => ({
  url,
  isOwn: false,
  pid: null,
  stop: () => Promise.resolve(),
});

/** A server to use: the one that is named, else the one on this machine, else one of the demonstration's own. */
export async function findOrStart(
  {
    variable,
    usual,
    problemOf,
    start,
  }: {
    /** Where somebody names a server. */
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
      `${variable} is set, but that server cannot be used: ${problem} Mend it, or unset ${variable} and the demonstration starts a server of its own.`,
    );
  return start();
}

/** Marks a server as ours, so that the next demonstration can tell what a killed one left. */
export const markedEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ASSAY_DEMO_FOLDER: folder,
});

const POLL_MS = 50;

/** Waits until a started server answers; says what its log says when it ends or takes too long. */
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
      throw new DemoError(`${what} did not start. Its last words:\n${logOf().trim().slice(-1_500)}`);
    }
    await sleep(POLL_MS);
  }
}

/** Sends the signal and waits for the end; kills what does not end in time. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(kill);
}
