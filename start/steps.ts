export type Steps = {
  readonly say: (line: string) => void;
  /** Overwrites its line on a terminal; writes nothing elsewhere, where lines would accumulate. */
  readonly update: (line: string) => void;
  readonly seconds: () => string;
};

export type Progress = Steps & {
  /** Names what is being done; it is written again while nothing else is. */
  readonly doing: (line: string) => void;
  readonly stop: () => void;
};

const STAMP_WIDTH = 5;
const SILENCE_MAX_MS = 10_000;

type Out = Pick<NodeJS.WriteStream, 'isTTY'> & { readonly write: (text: string) => unknown };

export function startSteps(
  out: Out,
  now: () => number = () => performance.now(),
  silenceMaxMs = SILENCE_MAX_MS,
): Steps {
  const startedAt = now();
  const seconds = (): string => ((now() - startedAt) / 1_000).toFixed(1);
  const stamped = (line: string): string => `[${seconds().padStart(STAMP_WIDTH)} s] ${line}`;
  const clear = (): string => (out.isTTY ? '\r\u001b[K' : '');
  let saidAt = startedAt;
  const say = (line: string): void => {
    saidAt = now();
    out.write(`${clear()}${stamped(line)}\n`);
  };
  return {
    seconds,
    say,
    update: (line) => {
      if (out.isTTY) out.write(`${clear()}${stamped(line)}`);
      else if (now() - saidAt >= silenceMaxMs) say(line);
    },
  };
}

const TICK_MS = 1_000;
/** A busy machine ticks late. */
const TICKED_SILENCE_MAX_MS = 7_000;

/** Steps that write what is being done by themselves, so that no silence is longer than ten seconds. */
export function startProgress(out: Out): Progress {
  const steps = startSteps(out, () => performance.now(), TICKED_SILENCE_MAX_MS);
  let current: string | null = null;
  const timer = setInterval(() => {
    if (current !== null) steps.update(current);
  }, TICK_MS);
  timer.unref();
  const doing = (line: string) => {
    current = line;
    steps.update(line);
  };
  return { ...steps, doing, stop: () => clearInterval(timer) };
}
