export type Steps = {
  readonly say: (line: string) => void;
  /** Overwrites its line on a terminal; writes nothing elsewhere, where lines would accumulate. */
  readonly update: (line: string) => void;
  readonly seconds: () => string;
};

const STAMP_WIDTH = 5;
const SILENCE_MAX_MS = 10_000;

type Out = Pick<NodeJS.WriteStream, 'isTTY'> & { readonly write: (text: string) => unknown };

export function startSteps(out: Out, now: () => number = () => performance.now()): Steps {
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
      else if (now() - saidAt >= SILENCE_MAX_MS) say(line);
    },
  };
}
