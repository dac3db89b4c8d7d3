/** The progress of a command: one stamped line for each step, and never a long silence. */
export type Steps = {
  readonly say: (line: string) => void;
  /**
   * Shows what is being done, now and each second until the next line is said. On a terminal the line is overwritten;
   * elsewhere, where lines would accumulate, it is written once nothing was written for a while.
   */
  readonly doing: (line: string) => void;
  readonly seconds: () => string;
};

/** Steps that are written by the process that takes them; `stop` ends the repetition of what is being done. */
export type OwnSteps = Steps & { readonly stop: () => void };

const STAMP_WIDTH = 5;
/** With a tick of a second and a machine that is busy, at most ten seconds pass without a line. */
const SILENCE_MAX_MS = 8_000;
const TICK_MS = 1_000;

type Out = Pick<NodeJS.WriteStream, 'isTTY'> & { readonly write: (text: string) => unknown };

export function startSteps(
  out: Out,
  now: () => number = () => performance.now(),
  startedAt = now(),
): OwnSteps {
  const seconds = (): string => ((now() - startedAt) / 1_000).toFixed(1);
  const stamped = (line: string): string => `[${seconds().padStart(STAMP_WIDTH)} s] ${line}`;
  const clear = (): string => (out.isTTY ? '\r\u001b[K' : '');
  let saidAt = startedAt;
  const write = (line: string): void => {
    saidAt = now();
    out.write(`${clear()}${stamped(line)}\n`);
  };
  const update = (line: string): void => {
    if (out.isTTY) out.write(`${clear()}${stamped(line)}`);
    else if (now() - saidAt >= SILENCE_MAX_MS) write(line);
  };
  let current = '';
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    seconds,
    stop,
    say: (line) => {
      stop();
      write(line);
    },
    doing: (line) => {
      current = line;
      update(line);
      timer ??= setInterval(() => update(current), TICK_MS).unref();
    },
  };
}
