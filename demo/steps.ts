/** Progress for a person: what happens, and how many seconds have passed since the start. */
export type Steps = {
  readonly say: (line: string) => void;
  /** Replaces itself on a terminal; says nothing elsewhere, where lines pile up. */
  readonly update: (line: string) => void;
  readonly seconds: () => string;
};

const STAMP_WIDTH = 5;

export function startSteps(out: NodeJS.WriteStream): Steps {
  const startedAt = performance.now();
  const seconds = (): string => ((performance.now() - startedAt) / 1_000).toFixed(1);
  const stamped = (line: string): string => `[${seconds().padStart(STAMP_WIDTH)} s] ${line}`;
  const clear = (): string => (out.isTTY ? '\r\u001b[K' : '');
  return {
    seconds,
    say: (line) => void out.write(`${clear()}${stamped(line)}\n`),
    update: (line) => {
      if (out.isTTY) out.write(`${clear()}${stamped(line)}`);
    },
  };
}
