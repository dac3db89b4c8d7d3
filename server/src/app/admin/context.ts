import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';

/** The services of every administration command, created once by `main.ts`. */
export type AdminContext = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly out: (line: string) => void;
  /** Prints one JSON document on stdout, the only output of a command under `--json`. */
  readonly json: (document: unknown) => void;
};

/** A mistake of the operator: one sentence on stderr, exit code 1, no stack. */
export class AdminError extends Error {}
