import { mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type SupervisedChild, superviseChild } from '../server/src/app/supervise-child.ts';

const LOG_BYTES_MAX = 10 * 1_048_576;
const LAST_LINES_CHARS = 2_000;

export type Part = {
  readonly name: 'API' | 'worker';
  readonly logFile: string;
  /** Resolves with the message by which the part says that it serves; null when it ended before. */
  readonly ready: Promise<object | null>;
  readonly stop: (graceMs: number) => Promise<void>;
};

export type PartSpec = {
  readonly name: Part['name'];
  readonly command: string;
  /** The module that starts every command: the bundle or the sources. */
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logs: string;
  /** The type of the message by which the part says that it serves. */
  readonly readyType: string;
  readonly say: (line: string) => void;
};

/**
 * Starts a part of the service and restarts it when it crashes, but not before it served once: then the reason is in its
 * log, and a restart would find it again. A part has a process group of its own, so that Ctrl-C in the terminal reaches only
 * the supervisor, which stops the parts in order; a part ends by itself when the supervisor is killed.
 */
export function startPart({ name, command, main, env, logs, readyType, say }: PartSpec): Part {
  const logFile = join(logs, `${command}.log`);
  const log = openLog(logFile);
  const started = Promise.withResolvers<object | null>();
  let hasServed = false;
  const child: SupervisedChild = superviseChild({
    command,
    name,
    launch: { main, options: { env, execArgv: [], stdio: ['ignore', log, log, 'ipc'], detached: true } },
    log: {
      error: ({ code, signal, restartInMs }) => {
        const end = typeof signal === 'string' ? signal : `exit code ${Number(code)}`;
        const delay = `${Number(restartInMs) / 1_000} seconds`;
        say(`The ${name} ended (${end}) and starts again in ${delay}. Its log: ${logFile}`);
      },
    },
    onMessage: (message) => {
      if ((message as { type?: unknown }).type !== readyType) return;
      if (hasServed) say(`The ${name} is back.`);
      hasServed = true;
      started.resolve(message as object);
    },
    isFinal: () => {
      if (!hasServed) started.resolve(null);
      return !hasServed;
    },
  });
  return { name, logFile, ready: started.promise, stop: child.stop };
}

function openLog(file: string): number {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

export const lastLinesOf = ({ logFile }: Pick<Part, 'logFile'>): string =>
  readFileSync(logFile, 'utf8').trim().slice(-LAST_LINES_CHARS);
