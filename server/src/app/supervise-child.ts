import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Log } from '#platform/log.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const RESTART_DELAY_MIN_MS = 200;
const RESTART_DELAY_MAX_MS = 10_000;
/** A child that lived this long failed for a new reason, so the delay starts small again. */
const HEALTHY_AFTER_MS = 30_000;

export type ChildSpec = {
  readonly command: string;
  readonly name: string;
  readonly args?: readonly string[];
  /** Hears of each end that is followed by a restart. */
  readonly log: Pick<Log, 'error'>;
  /** The module to start, and how: by default a command of the service that shares the output of this process. */
  readonly launch?: { readonly main: string; readonly options: ForkOptions };
  readonly onMessage: (message: unknown) => void;
  /** True when this exit code is final and the child must not be restarted. */
  readonly isFinal?: (code: number | null) => boolean;
};

export type SupervisedChild = {
  readonly name: string;
  /** False where the process does not run, so that nobody hears of it. */
  readonly send: (message: object) => boolean;
  /** True after an exit code that is final. */
  readonly isOver: () => boolean;
  readonly pid: () => number | undefined;
  /** Sends SIGTERM, then SIGKILL when the child has not ended in time. */
  readonly stop: (graceMs: number) => Promise<void>;
};

export function superviseChild(spec: ChildSpec): SupervisedChild {
  let child: ChildProcess | undefined;
  let stopping = false;
  let isOver = false;
  let delayMs = RESTART_DELAY_MIN_MS;
  let timer: NodeJS.Timeout | undefined;
  let exited: Promise<void> = Promise.resolve();

  const start = (): void => {
    const startedAt = performance.now();
    const { main, options } = spec.launch ?? { main: MAIN, options: { stdio: 'inherit' } };
    const started = fork(main, [spec.command, ...(spec.args ?? [])], options);
    child = started;
    started.on('message', spec.onMessage);
    exited = new Promise((resolve) => {
      started.once('exit', (code, signal) => {
        if (options.detached === true) endGroup(started.pid);
        resolve();
        if (stopping) return;
        isOver = spec.isFinal?.(code) === true;
        if (isOver) return;
        if (performance.now() - startedAt > HEALTHY_AFTER_MS) delayMs = RESTART_DELAY_MIN_MS;
        spec.log.error(
          { child: spec.name, code, signal, restartInMs: delayMs },
          'child process ended; restarting',
        );
        timer = setTimeout(start, delayMs);
        delayMs = Math.min(delayMs * 2, RESTART_DELAY_MAX_MS);
      });
    });
  };
  start();

  return {
    name: spec.name,
    pid: () => child?.pid,
    isOver: () => isOver,
    send: (message) => {
      if (child?.connected !== true) return false;
      child.send(message);
      return true;
    },
    stop: async (graceMs) => {
      stopping = true;
      clearTimeout(timer);
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const kill = setTimeout(() => child?.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(kill);
    },
  };
}

/** Ends what a process left in its own process group, so that a restart finds its ports and locks free. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left, which is the usual case.
  }
}
